import type { FastifyServerOptions } from 'fastify'

/** Logger options that leave out headers, query, body and cookies, which may hold secrets (operations 9). */
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
