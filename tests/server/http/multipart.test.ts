import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import multipart from '@fastify/multipart'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../server/config/config.ts'
import type { Db } from '../../../server/db/db.ts'
import type { Call } from '../../../server/http/call.ts'
import { createReceiver, uploadQuota } from '../../../server/imports/upload.ts'
import { receiveTicket } from '../../../server/tickets/receive.ts'
import { formOf, goodTicket } from '../../ticket.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'multipart-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

const config = () => readConfig({ DATA_DIR: dataDir })
const unused = {} as unknown as Db
/** Each receives what comes with a call, and gives it to a work that must never begin. */
const receivers: Record<string, (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>> = {
  'file of an import': (asked, reply) =>
    createReceiver(unused, config(), uploadQuota(config()))(
      'merchant',
      { caller: { scope: null }, request: asked, reply } as unknown as Call,
      () => Promise.reject(new Error('begun')),
    ),
  ticket: (asked) =>
    receiveTicket(asked, { folder: join(dataDir, 'tmp'), quotaUse: uploadQuota(config())('someone') }, () =>
      Promise.reject(new Error('begun')),
    ),
}

test.each(Object.entries(receivers))(
  'a %s whose sender has gone before it is looked at is refused, and nothing waits for it',
  async (_, receive) => {
    const app = fastify()
    await app.register(multipart)
    const outcome = new Promise<unknown>((resolve) => {
      app.post('/', async (asked, reply) => {
        sending.destroy()
        // As when the session is looked up meanwhile.
        await new Promise((closed) => asked.raw.once('close', closed))
        resolve(await receive(asked, reply).catch((error: unknown) => error))
        return reply
      })
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const sending = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=cut', 'content-length': 1_000 },
    })
    sending.on('error', () => {})
    sending.write('--cut\r\nContent-Disposition: form-data; name="f"; filename="m.csv"\r\n\r\nXMID')
    expect(await outcome).toMatchObject({ status: 400, message: 'The upload was cut off' })
    expect(await readdir(join(dataDir, 'tmp'))).toEqual([])
    await app.close()
  },
)

test.each(['ENOSPC', 'EDQUOT', 'EFBIG'])(
  'a ticket whose attachment finds the disk full, %s, is refused with 507, and nothing of it is left',
  async (code) => {
    const app = fastify()
    await app.register(multipart)
    const quotaUse = {
      take: () => Promise.reject(Object.assign(new Error('full'), { code })),
      free: () => {},
    }
    const outcome = new Promise<unknown>((resolve) => {
      app.post('/', async (asked, reply) => {
        const place = { folder: join(dataDir, 'tmp'), quotaUse }
        resolve(await receiveTicket(asked, place, () => Promise.resolve()).catch((error: unknown) => error))
        return reply.send()
      })
    })
    const { body, headers } = formOf({}, [{ name: 'a.txt', content: 'text' }])
    await app.inject({ method: 'POST', url: '/', headers, payload: body })
    const message = 'The server has no room for the attachments'
    expect(await outcome).toMatchObject({ status: 507, message })
    expect(await readdir(join(dataDir, 'tmp'))).toEqual([])
    await app.close()
  },
)

test('an attachment that waits to be stored is a file for the owner of the process alone', async () => {
  const app = fastify()
  await app.register(multipart)
  const quotaUse = uploadQuota(config())('someone')
  app.post('/', (asked) =>
    receiveTicket(asked, { folder: join(dataDir, 'tmp'), quotaUse }, async ({ attachments }) =>
      Promise.all(attachments.map(async ({ path }) => (await stat(path)).mode & 0o777)),
    ),
  )
  const { body, headers } = formOf(goodTicket, [{ name: 'a.txt', content: 'text' }])
  const answer = await app.inject({ method: 'POST', url: '/', headers, payload: body })
  expect(answer.json()).toEqual([0o600])
  await app.close()
})
