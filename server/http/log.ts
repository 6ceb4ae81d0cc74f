import type { FastifyServerOptions } from 'fastify'

/** One JSON line a request with its id; no header, query, body or cookie is logged, so no secret can be. */
export const requestLogger = (
  log: NonNullable<FastifyServerOptions['logger']>,
): NonNullable<FastifyServerOptions['logger']> => ({
  ...(typeof log === 'object' ? log : {}),
  serializers: {
    req: (request: { method: string; url: string; ip: string }) => ({
      method: request.method,
      path: request.url.split('?')[0],
      address: request.ip,
    }),
    res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
  },
})
