import type { Repeated } from '../../../schemas/imports/imports.ts'
import type { Sql } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'

/**
 * The first import of the same bytes, of the same kind and for the same date, that is not undone; or null
 * (imports 17).
 */
export async function findEarlierImport(
  sql: Sql,
  kind: string,
  sha256: string,
  date: string | null,
): Promise<Repeated | null> {
  const [earlier] = await sql.query<Repeated>(
    `select username, extract(epoch from imported_at)::bigint as importedat from import_batch
      where kind = $1 and sha256 = $2 and fordate is not distinct from $3::date and undone_at is null
      order by id limit 1`,
    [kind, sha256, date],
  )
  return earlier ?? null
}

/** A sentence that names user and time in the portal's time zone. */
export function describeRepeatedImport({ username, importedat }: Repeated, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone })
  return `The same file was imported before, by ${username} on ${format.format(importedat * 1000)}`
}

/** Throws HttpError 409 with the code 'repeated' (imports 17). */
export const refuseRepeatedImport = (repeated: Repeated, timeZone: string): never => {
  throw new HttpError(409, `${describeRepeatedImport(repeated, timeZone)}. Nothing was stored.`, {
    code: 'repeated',
    ...repeated,
  })
}
