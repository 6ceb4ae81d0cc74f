import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectFolder } from '../../../server/config/projectFolder.ts'
import { openDb, type Db } from '../../../server/db/db.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { startPostgres } from '../../../server/db/postgres/postgres.ts'
import { launch, opened } from '../../fixtures/portal.ts'
import { shapeOf } from '../../server/backup/shape.ts'
import { comesTrue, expectThat, newOutcome, type Fault } from '../fault.ts'
import { officeEnv } from '../office.ts'

const source = join(projectFolder, 'server/db/migrations')
const files = readdirSync(source).sort()

const at = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href

/** How many migrations a database has run. */
async function ranIn(db: Db): Promise<number> {
  const [there] = await db.query<{ name: string | null }>(`select to_regclass('migration')::text as name`)
  if (!there?.name) return 0
  const [row] = await db.query<{ count: number }>('select count(*) from migration')
  return row!.count
}

/** The shape of a database by the number of migrations that it has run. */
async function shapesIn(url: string, db: Db, partial: string): Promise<string[]> {
  const shapes = ['']
  for (const file of files) {
    copyFileSync(join(source, file), join(partial, file))
    await migrate(url, partial)
    shapes.push(JSON.stringify(await shapeOf(db)))
  }
  return shapes
}

/** Other connections to a database: those of a killed process end a moment after it. */
async function othersIn(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) from pg_stat_activity where datname = current_database() and application_name <> 'technology-portal'
      and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
  return row!.count
}

export const killInMigration: Fault = {
  name: 'migration',
  what: 'kill -9 in mid-migration of the first start',
  rounds: 10,
  async run({ folder }, rounds) {
    const outcome = newOutcome()
    const postgres = await startPostgres({ folder: folder() })
    const server = openDb(postgres.url, { max: 1 })
    const open = async (name: string) => {
      await server.query(`create database ${name}`)
      const url = at(postgres.url, name)
      return { url, db: openDb(url, { max: 1 }) }
    }
    const reference = await open('reference')
    const shapes = await shapesIn(reference.url, reference.db, folder())
    await reference.db.close()
    let cut = 0
    for (let round = 0; round < rounds; round++) {
      const { url, db } = await open(`killed${round}`)
      const env = { ...officeEnv, DATA_DIR: folder(), DATABASE_URL: url }
      const child = launch(env)
      const wanted = (round * files.length) / rounds
      let seen = 0
      await comesTrue(async () => (seen = await ranIn(db)) >= wanted, 60_000)
      await sleep((round * 7) % 20)
      child.process.kill('SIGKILL')
      await child.ended
      await comesTrue(async () => (await othersIn(db)) === 0, 10_000)
      const left = await ranIn(db)
      cut += left < files.length ? 1 : 0
      outcome.tried++
      outcome.acknowledged += seen
      outcome.found += Math.min(left, seen)
      const isPartly = left > 0 && JSON.stringify(await shapeOf(db)) !== shapes[left]
      outcome.half += isPartly ? 1 : 0

      const next = await opened(launch(env))
      expectThat(outcome, (await ranIn(db)) === files.length, 'the next start left migrations out')
      const isWhole = JSON.stringify(await shapeOf(db)) === shapes.at(-1)
      expectThat(outcome, isWhole, 'the tables after a kill differ from those after none')
      next.child.process.kill('SIGTERM')
      await next.child.ended
      await db.close()
    }
    expectThat(outcome, cut > 0, 'no kill fell into a migration')
    await server.close()
    await postgres.stop()
    return outcome
  },
}
