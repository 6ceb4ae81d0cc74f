import { writeSync } from 'node:fs'
import type { FastifyServerOptions } from 'fastify'
import { addressOf } from './address.ts'

/**
 * Logger options that leave out headers, query, body, cookies and the details of errors, which may hold
 * secrets (operations 9).
 */
export const requestLogger = (
  log: NonNullable<FastifyServerOptions['logger']>,
): NonNullable<FastifyServerOptions['logger']> => ({
  ...(typeof log === 'object' ? log : {}),
  serializers: {
    req: (request: Parameters<typeof addressOf>[0] & { method: string; url: string }) => ({
      method: request.method,
      path: request.url.split('?')[0],
      address: addressOf(request),
    }),
    // The number of the user whose session the call bore; absent where it bore none.
    res: ({ statusCode, request }: { statusCode: number; request?: object }) => ({
      status: statusCode,
      user: (request as { caller?: { userid: number } } | undefined)?.caller?.userid,
    }),
    // What else an error of the database says holds values of records.
    err: ({ name, code, message, stack = '' }: Error & { code?: string }) => ({
      type: name,
      code,
      message,
      stack,
    }),
  },
})

const standardOutput = 1

/**
 * Where the log goes: the standard output. A line that finds no room on its disk is lost, and the portal goes
 * on (operations 9).
 */
export const logOutput = {
  write(line: string) {
    let rest = Buffer.from(line)
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(standardOutput, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') process.stdout.write(rest)
    }
  },
}
