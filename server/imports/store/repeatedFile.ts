import { formatDateTime } from '../../../schemas/dates.ts'
import { imports, type ImportName, type Repeated } from '../../../schemas/imports/imports.ts'
import type { Sql } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'

/** 'October 2026', or '10/31/2026' of a kind that has a day. */
function subjectOf(kind: ImportName, date: string): string {
  const isDay = 'dated' in imports[kind]
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    year: 'numeric',
    ...(isDay ? { month: '2-digit', day: '2-digit' } : { month: 'long' }),
  })
  return format.format(new Date(`${date}T00:00:00Z`))
}

/**
 * The first import of the same bytes and kind that is not undone, of the same date before others; or null
 * (imports 17). The bytes of another month are probably the wrong file, sent with the answer of this month.
 */
export async function findEarlierImport(
  sql: Sql,
  kind: ImportName,
  sha256: string,
  date: string | null,
): Promise<Repeated | null> {
  const [earlier] = await sql.query<Omit<Repeated, 'subject'> & { other: string | null }>(
    `select username, extract(epoch from imported_at)::bigint as importedat,
        case when fordate is distinct from $3::date then fordate::text end as other
      from import_batch where kind = $1 and sha256 = $2 and undone_at is null
      order by fordate is distinct from $3::date, id limit 1`,
    [kind, sha256, date],
  )
  if (!earlier) return null
  const { other, ...found } = earlier
  return { ...found, subject: other === null ? null : subjectOf(kind, other) }
}

/** A sentence that names user and time in the portal's time zone. */
export function describeRepeatedImport(
  { username, importedat, subject }: Repeated,
  timeZone: string,
): string {
  const by = `by ${username} on ${formatDateTime(importedat * 1000, timeZone)}`
  return subject === null
    ? `The same file was imported before, ${by}`
    : `This file was imported already, for ${subject}, ${by}`
}

/** Throws HttpError 409 with the code 'repeated' (imports 17). */
export const refuseRepeatedImport = (repeated: Repeated, timeZone: string): never => {
  throw new HttpError(409, `${describeRepeatedImport(repeated, timeZone)}. Nothing was stored.`, {
    code: 'repeated',
    ...repeated,
  })
}
