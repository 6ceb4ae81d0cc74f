import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, fsyncSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serverEnvironment } from '../../../server/db/postgres/create.ts'
import { startPostgres } from '../../../server/db/postgres/postgres.ts'
import type { Place } from '../fault.ts'
import { startOffice, stopOffice, type Office } from '../office.ts'

/** Why clocks cannot be set here, null when they can. */
export const missingForClocks = (): string | null =>
  process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0
    ? null
    : 'needs Linux and a C compiler'

/** A clock that the portal and its database go by; setting it sets both at once. */
export type Clock = {
  env: Record<string, string>
  /** Seconds by which it differs from the machine's. */
  set(offset: number): void
  /** Epoch seconds. */
  now(): number
}

function makeClock(folder: string): Clock {
  const library = join(folder, 'clock.so')
  const source = fileURLToPath(new URL('clock.c', import.meta.url))
  const { status, stderr } = spawnSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const file = join(folder, 'offset')
  writeFileSync(file, Buffer.alloc(8))
  chmodSync(file, 0o644)
  let offset = 0
  return {
    env: { LD_PRELOAD: library, CLOCK_OFFSET_FILE: file },
    set(seconds) {
      const bytes = Buffer.alloc(8)
      bytes.writeBigInt64LE(BigInt(seconds))
      const handle = openSync(file, 'r+')
      writeSync(handle, bytes, 0, 8, 0)
      fsyncSync(handle)
      closeSync(handle)
      offset = seconds
    },
    now: () => Math.floor(Date.now() / 1000) + offset,
  }
}

/** A portal and a database that go by a clock of their own; `restart` ends the portal and starts it again. */
export async function officeWithClock({ folder }: Place, env: Record<string, string> = {}, offset = 0) {
  const clock = makeClock(folder())
  clock.set(offset)
  const former = { ...serverEnvironment }
  Object.assign(serverEnvironment, clock.env)
  const postgres = await startPostgres({ folder: folder() }).finally(() => {
    for (const name of Object.keys(clock.env)) Reflect.deleteProperty(serverEnvironment, name)
    Object.assign(serverEnvironment, former)
  })
  const settings = {
    ...env,
    ...clock.env,
    DATA_DIR: folder(),
    DATABASE_URL: postgres.runtimeUrl,
    MIGRATE_DATABASE_URL: postgres.url,
  }
  const start = () => startOffice(settings.DATA_DIR, settings)
  return {
    clock,
    office: await start(),
    async restart(office: Office): Promise<Office> {
      await stopOffice(office)
      return start()
    },
    async end(office: Office) {
      await stopOffice(office)
      await postgres.stop()
    },
  }
}
