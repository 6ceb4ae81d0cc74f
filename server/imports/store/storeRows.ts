import type { ProgressReporter } from '../../jobs/progress.ts'
import type { Importer } from './importer.ts'
import type { ImportStep } from './step.ts'

/** The parameters that a statement uses; PostgreSQL refuses a statement that is given more. */
export const usedParameters = (sql: string, values: unknown[]): unknown[] =>
  values.slice(0, Math.max(0, ...[...sql.matchAll(/\$(\d)/g)].map(([, place]) => Number(place))))

/** Stores the staged rows and records for the undo what that adds and changes (imports 22). */
export async function storeRows(
  importer: Importer,
  step: ImportStep & { batch: number },
  total: number,
  reporter: ProgressReporter,
): Promise<{ inserted: number; updated: number }> {
  const { upsert, parameters } = importer
  const { sql, batch } = step
  const values = parameters(step)
  const query = <R extends Record<string, unknown>>(statement: string) =>
    sql.query<R>(statement, usedParameters(statement, values))
  reporter.report({ phase: 'storing', done: 0, total })
  const counts = upsert.alsoChangedIf
    ? (await query<{ inserted: number; updated: number }>(upsert.count))[0]!
    : null
  await query(upsert.recordChanges(batch))
  const [noted] = await sql.query<{ n: number }>(
    'select count(*)::int as n from import_change where batchid = $1 and tablename = $2 and removed is null',
    [batch, upsert.table],
  )
  const updated = noted!.n
  if (updated) await query(upsert.update)
  const [made] = await reporter.trackInserts(upsert.table, updated, total, () =>
    query<{ n: number }>(upsert.insert(batch)),
  )
  reporter.report({ phase: 'storing', done: total, total })
  return counts ?? { inserted: made!.n, updated }
}
