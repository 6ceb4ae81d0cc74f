import type { ImportProgress } from '../../../schemas/imports/imports.ts'
import type { Db } from '../../db/db.ts'
import { notFound } from '../../http/errors.ts'

/** Written at most this often, in milliseconds. */
const every = 500

/** How far one import has come. Its rows live on a connection of their own, so that everybody sees them at once. */
export type ProgressReporter = {
  report(progress: ImportProgress): void
  /** Tells how many rows a table has been given since, while `work` fills it; `done` were done before. */
  trackInserts<T>(table: string, done: number, total: number, work: () => Promise<T>): Promise<T>
  end(): Promise<void>
}

const unknownProgress = { phase: 'unknown', done: 0, total: null } as const

const noReporter: ProgressReporter = {
  report() {},
  trackInserts: (_table, _done, _total, work) => work(),
  end: async () => {},
}

export function createProgressReporter(
  db: Db,
  job: string | null,
  kind: string,
  userid: number | null,
): ProgressReporter {
  if (job === null) return noReporter
  let last: ImportProgress | null = null
  let written: ImportProgress | null = null
  let writing: Promise<unknown> = db
    .query(`delete from import_progress where updated_at < now() - interval '1 hour'`)
    .catch(() => {})
  const write = () => {
    if (!last || last === written) return
    written = last
    const { phase, done, total } = last
    writing = db
      .query(
        `insert into import_progress (job, kind, userid, phase, done, total) values ($1, $2, $3, $4, $5, $6)
          on conflict (job) do update set phase = $4, done = $5, total = $6, updated_at = now() where import_progress.userid is not distinct from $3`,
        [job, kind, userid, phase, done, total],
      )
      .catch(() => {})
  }
  const clock = setInterval(write, every)
  return {
    report(progress) {
      const isFirst = last === null
      last = progress
      if (isFirst) write()
    },
    async trackInserts(table, done, total, work) {
      // A sequence shows what a transaction took from it before the transaction ends.
      const [sequence] = await db.query<{ name: string }>(`select pg_get_serial_sequence($1, 'id') as name`, [
        table,
      ])
      const position = async () =>
        (await db.query<{ n: number }>(`select last_value as n from ${sequence!.name}`))[0]!.n
      const start = await position()
      const look = () =>
        void position()
          .then((now) => this.report({ phase: 'storing', done: Math.min(total, done + now - start), total }))
          .catch(() => {})
      const looking = setInterval(look, every)
      try {
        return await work()
      } finally {
        clearInterval(looking)
      }
    },
    async end() {
      clearInterval(clock)
      await writing
      await db
        .query('delete from import_progress where job = $1 and userid is not distinct from $2', [job, userid])
        .catch(() => {})
    },
  }
}

/** The progress of a job of this user's own. One that has not begun or is over is no error: whoever asks cannot know it. */
export async function readProgress(
  db: Db,
  kind: string,
  job: string,
  userid: number,
): Promise<ImportProgress | typeof unknownProgress> {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(job)) throw notFound('job')
  const [found] = await db.query<ImportProgress>(
    'select phase, done, total from import_progress where job = $1 and kind = $2 and userid = $3',
    [job, kind, userid],
  )
  return found ?? unknownProgress
}
