import fastify from 'fastify'
import { expect, test } from 'vitest'
import { explainDatabaseError, listenError, portalAddress } from '../../../server/lifecycle.ts'

test.each([
  ['127.0.0.1', null, 'http://127.0.0.1:PORT'],
  ['portal.local', null, 'http://portal.local:PORT'],
  ['0.0.0.0', null, 'http://localhost:PORT'],
  ['::', null, 'http://localhost:PORT'],
  ['::1', null, 'http://[::1]:PORT'],
  ['0.0.0.0', 'https://portal.example.com', 'https://portal.example.com'],
])(
  'a portal that listens on %s with the address %s of people is said to be open at %s',
  async (host, publicUrl, url) => {
    const app = fastify()
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const said = portalAddress(app, { host, publicUrl })
    await app.close()
    expect(said).toBe(url.replace('PORT', port))
  },
)

test.each([
  [
    'EADDRINUSE',
    'The port 80 of 10.0.0.1 is in use by another program: end that one, or choose another with PORT',
  ],
  ['EACCES', 'The port 80 is kept for the administrator of this machine: choose one above 1023 with PORT'],
  ['EADDRNOTAVAIL', "HOST is '10.0.0.1', which is no address of this machine: 0.0.0.0 means all of them"],
  ['ENOTFOUND', "HOST is '10.0.0.1', which is no address of this machine: 0.0.0.0 means all of them"],
  ['EPERM', 'The portal cannot listen on port 80 of 10.0.0.1: as the system says it'],
])('the error %s keeps a portal from listening with the sentence: %s', (code, sentence) => {
  const error = Object.assign(new Error('as the system says it'), { code })
  expect(listenError(error, { host: '10.0.0.1', port: 80 }).message).toBe(sentence)
})

test.each([
  [
    'postgres://db/p',
    'refused',
    undefined,
    'The database of MIGRATE_DATABASE_URL does not let the portal in: refused',
  ],
  ['postgres://db/p', '', '28P01', 'The database of MIGRATE_DATABASE_URL does not let the portal in: 28P01'],
  ['postgres://db/p', 'The database is newer', undefined, 'The database is newer'],
  [null, 'refused', undefined, 'refused'],
])('with the database %s the error "%s" (%s) is said as: %s', (databaseUrl, message, code, sentence) => {
  const error = Object.assign(new Error(message), code === undefined ? {} : { code })
  const explain = () => explainDatabaseError({ databaseUrl }, 'MIGRATE_DATABASE_URL')(error)
  expect(explain).toThrow(new Error(sentence))
})
