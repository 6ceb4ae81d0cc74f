import { randomUUID } from 'node:crypto'
import type { ImportProgress, RunningImport } from '../../schemas/imports/importReplies.ts'
import type { Db, Sql } from '../db/db.ts'
import type { Caller } from '../http/call.ts'
import { notFound } from '../http/errors.ts'

/** Milliseconds between two writes. */
const writeInterval = 500
/** Milliseconds after which a record is renewed although nothing has changed. */
const renewInterval = 5_000
/** Seconds without renewal after which a record counts as left by a killed process. */
const aliveSeconds = 30

/**
 * Records the progress of one import (imports 18), outside its transaction, so that others see it at once.
 */
export type ProgressReporter = {
  report(progress: ImportProgress): void
  /** Reports the rows that `work` inserts into a table; `done` rows of `total` were stored before. */
  trackInserts<T>(table: string, done: number, total: number, work: () => Promise<T>): Promise<T>
  /** Deletes the record. */
  end(): Promise<void>
}

const unknownProgress = { phase: 'unknown', done: 0, total: null } as const

const noReporter: ProgressReporter = {
  report() {},
  trackInserts: (_table, _done, _total, work) => work(),
  end: async () => {},
}

/** `kind` is that of the job: of an import its name, of a report and its download 'report'. */
type JobOf = { db: Db; job: string | null; kind: string; userid: number | null }
/** An import that others see while it runs (imports 41). */
type SeenImport = { filename: string; username: string }

const writeProgress = (
  { db, job, kind, userid }: JobOf,
  seen: SeenImport | null,
  { phase, done, total }: ImportProgress,
) =>
  db.query(
    `insert into job_progress (job, kind, userid, phase, done, total, filename, username)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (job) do update set phase = $4, done = $5, total = $6, updated_at = now()
        where job_progress.userid is not distinct from $3`,
    [job, kind, userid, phase, done, total, seen?.filename ?? null, seen?.username ?? null],
  )

/**
 * Creates a reporter for a job (a UUID). Without a job it records nothing, unless it is an import that others
 * see.
 */
export function createProgressReporter(
  { db, job: given, kind, userid }: JobOf,
  seen: SeenImport | null = null,
): ProgressReporter {
  if (given === null && seen === null) return noReporter
  const job = given ?? randomUUID()
  let latest: ImportProgress | null = null
  let written: ImportProgress | null = null
  let writtenAt = 0
  let pendingWrite: Promise<unknown> = db
    .query(`delete from job_progress where updated_at < now() - interval '1 hour'`)
    .catch(() => {})
  const write = () => {
    if (!latest || (latest === written && Date.now() - writtenAt < renewInterval)) return
    written = latest
    writtenAt = Date.now()
    pendingWrite = writeProgress({ db, job, kind, userid }, seen, latest).catch(() => {})
  }
  const writeTimer = setInterval(write, writeInterval)
  return {
    report(progress) {
      const isFirst = latest === null
      latest = progress
      if (isFirst) write()
    },
    async trackInserts(table, done, total, work) {
      // Others see what a transaction takes from a sequence before it ends; its rows they do not.
      const [sequence] = await db.query<{ name: string }>(`select pg_get_serial_sequence($1, 'id') as name`, [
        table,
      ])
      const position = async () =>
        (await db.query<{ n: number }>(`select last_value as n from ${sequence!.name}`))[0]!.n
      const start = await position()
      const reportPosition = () =>
        void position()
          .then((now) => this.report({ phase: 'storing', done: Math.min(total, done + now - start), total }))
          .catch(() => {})
      const timer = setInterval(reportPosition, writeInterval)
      try {
        return await work()
      } finally {
        clearInterval(timer)
      }
    },
    async end() {
      clearInterval(writeTimer)
      await pendingWrite
      await db
        .query('delete from job_progress where job = $1 and userid is not distinct from $2', [job, userid])
        .catch(() => {})
    },
  }
}

/**
 * Runs `work` and records under its job how many begin before it while it waits. `work` calls `begin` when
 * its turn has come.
 */
export async function reportWaiting<T>(
  { db, job, kind, userid }: JobOf,
  work: (onWait: (before: number) => void, begin: () => Promise<void>) => Promise<T>,
): Promise<T> {
  let reporter: ProgressReporter | null = null
  const end = async () => {
    const ending = reporter?.end()
    reporter = null
    await ending
  }
  try {
    return await work((before) => {
      reporter ??= createProgressReporter({ db, job, kind, userid })
      reporter.report({ phase: 'waiting', done: before, total: null })
    }, end)
  } finally {
    await end()
  }
}

/**
 * The progress of a user's own job; 'unknown' for one that has not begun or is over. Throws HttpError 404
 * when the job is not a UUID.
 */
export async function readProgress(
  db: Db,
  kind: string,
  job: string,
  userid: number,
): Promise<ImportProgress | typeof unknownProgress> {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(job)) throw notFound('job')
  const [found] = await db.query<ImportProgress>(
    'select phase, done, total from job_progress where job = $1 and kind = $2 and userid = $3',
    [job, kind, userid],
  )
  return found ?? unknownProgress
}

/**
 * The imports of a kind that are under way, the first that began first (imports 41). Who does not see all
 * master agents sees their own alone. That of a process that was killed is left out after a while.
 */
export const runningImports = (
  sql: Sql,
  kind: string,
  { scope, userid }: Pick<Caller, 'scope' | 'userid'>,
): Promise<RunningImport[]> =>
  sql.query(
    `select job, filename, username, extract(epoch from started_at)::bigint as startedat, phase, done, total
      from job_progress
      where kind = $1 and filename is not null and updated_at > now() - interval '${aliveSeconds} seconds'
        and ($2::int[] is null or userid = $3) order by started_at, job`,
    [kind, scope, userid],
  )
