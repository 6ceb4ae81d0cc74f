import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Config } from './config.ts'

type Place = Pick<Config, 'host' | 'port'>

/** Asked before anything is made: a first start that fails later would have shown its passwords for nothing. */
export async function refuseTakenPort({ host, port }: Place) {
  const probe = createServer()
  try {
    probe.listen({ host, port, exclusive: true })
    await once(probe, 'listening')
  } catch (error) {
    throw refusal(error, { host, port })
  }
  await new Promise((closed) => probe.close(closed))
}

export async function listen(app: FastifyInstance, { host, port }: Place) {
  try {
    await app.listen({ host, port, listenTextResolver: () => 'listening' })
  } catch (error) {
    throw refusal(error, { host, port })
  }
}

/** What a person opens. */
export function addressOf(app: FastifyInstance, { publicUrl, host }: Config): string {
  const { port } = app.server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return publicUrl ?? `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function refusal(error: unknown, { host, port }: Place): Error {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return new Error(`The port ${port} of ${host} is in use by another program: end that one, or choose another with PORT`)
  if (code === 'EACCES') return new Error(`The port ${port} is kept for the administrator of this machine: choose one above 1023 with PORT`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new Error(`HOST is '${host}', which is no address of this machine: 0.0.0.0 means all of them`)
  return new Error(`The portal cannot listen on port ${port} of ${host}: ${message}`)
}
