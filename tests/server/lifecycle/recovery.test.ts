import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { projectFolder } from '../../../server/config/projectFolder.ts'
import { processesIn } from '../../../server/db/postgres/process.ts'
import { endChildren, programArguments, run, type Child } from '../../fixtures/children.ts'
import { databasePid, folderWithDatabase, removeFolders, removeOriginal } from '../../fixtures/folders.ts'
import { adminPassword, launch, opened, program } from '../../fixtures/portal.ts'
import { builtProgram } from '../../fixtures/programs.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let data: string
beforeEach(async () => {
  data = await folderWithDatabase()
})
afterAll(removeOriginal)
afterEach(async () => {
  await endChildren()
  removeFolders()
})

test('a portal whose database is killed twice serves again both times, with all it had stored', async () => {
  const portal = await opened(launch({ DATA_DIR: data, DEMO: '0' }))
  const merchant = { dba: 'Kept', masteragentid: 1, accountstatus: 1 }
  await portal.call('POST', '/api/v1/masteragent', { name: 'North', parentid: 0 })
  const pids = new Set<number>()
  for (const death of [1, 2]) {
    expect(await portal.call('POST', '/api/v1/merchant', { ...merchant, xmid: String(death) })).toMatchObject(
      {
        status: 201,
      },
    )
    const pid = databasePid(data)
    pids.add(pid)
    process.kill(pid, 'SIGKILL')
    await expect
      .poll(
        async () => {
          const { status, body } = await portal.call('GET', '/api/v1/merchant')
          return status === 200 ? body['total_length'] : status
        },
        { timeout: 60_000 },
      )
      .toBe(death)
  }
  expect(pids.size).toBe(2)
  portal.child.process.kill('SIGTERM')
  expect(await portal.child.ended).toBe(0)
  expect(processesIn(join(data, 'postgres'))).toEqual([])
})

test('a portal whose output has no room left goes on serving and storing', async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((closed) => probe.close(closed))
  const full = openSync('/dev/full', 'w')
  const env = {
    DATA_DIR: data,
    DEMO: '0',
    PORT: String(port),
    ADMIN_PASSWORD: adminPassword,
    LOG_LEVEL: 'info',
  }
  const child = spawn(process.execPath, programArguments(program), {
    cwd: projectFolder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', full, full],
  })
  closeSync(full)
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${port}`
  const isServed = () =>
    fetch(`${url}/healthz`).then(
      (reply) => reply.status,
      () => child.exitCode ?? 'not yet',
    )
  await expect.poll(isServed, { timeout: 60_000 }).toBe(200)
  const portal = await opened({ line: async () => `Technology Portal is open at ${url}` } as unknown as Child)
  expect(await portal.call('POST', '/api/v1/masteragent', { name: 'North', parentid: 0 })).toMatchObject({
    status: 201,
  })
  expect((await portal.call('GET', '/api/v1/masteragent')).body['total_length']).toBe(1)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('a rejection that nothing waits for is written down and ends the portal with 1, and the next start finds all in order', async () => {
  const env = { DATA_DIR: data, DEMO: '0', PORT: '0', ADMIN_PASSWORD: adminPassword }
  const child = run(await builtProgram('tests/fixtures/rejecting.ts'), [], env)
  const portal = await opened(child)
  expect(await portal.call('POST', '/api/v1/masteragent', { name: 'North', parentid: 0 })).toMatchObject({
    status: 201,
  })
  child.process.kill('SIGUSR2')
  expect(await child.ended).toBe(1)
  expect(child.complained()).toContain('nothing waits for this')

  const next = await opened(launch({ DATA_DIR: data, DEMO: '0' }))
  expect((await next.call('GET', '/api/v1/masteragent')).body['total_length']).toBe(1)
})
