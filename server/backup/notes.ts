import { formatDateTime } from '../../schemas/dates.ts'
import { countNoun } from '../../schemas/wording.ts'
import type { Sql } from '../db/db.ts'

/** The last backup that was written. Times in epoch seconds. */
type BackupNote = { at: number; file: string; bytes: number; rows: number }
/** The last rehearsal (operations 19). `made`: of its backup; `fault`: what was wrong, null for nothing. */
export type RehearsalNote = {
  at: number
  file: string
  made: number | null
  rows: number
  months: number
  /** The encrypted values that the secret key does not open: 'master_agent.taxid of 12'. */
  unreadable: string[]
  fault: string | null
}
/** When this database became one of a backup; epoch seconds. */
type RestoreNote = { at: number }
type Notes = { backup: BackupNote; rehearsal: RehearsalNote; restore: RestoreNote }

const settingOf = { backup: 'last backup', rehearsal: 'last rehearsal', restore: 'last restore' } as const

export const writeNote = <K extends keyof Notes>(sql: Sql, kind: K, note: Notes[K]) =>
  sql.query(`insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = $2`, [
    settingOf[kind],
    JSON.stringify(note),
  ])

type NewestNotes = { [K in keyof Notes]: Notes[K] | null }

/** The newest note of each kind; null for what was never made. */
export async function readNotes(sql: Sql): Promise<NewestNotes> {
  const rows = await sql.query<{ name: string; value: string }>(
    'select name, value from setting where name = any ($1)',
    [Object.values(settingOf)],
  )
  const noteOf = <K extends keyof Notes>(kind: K): Notes[K] | null => {
    const row = rows.find(({ name }) => name === settingOf[kind])
    return row ? (JSON.parse(row.value) as Notes[K]) : null
  }
  return { backup: noteOf('backup'), rehearsal: noteOf('rehearsal'), restore: noteOf('restore') }
}

/** 'Oct 31, 2026, 5:04 PM UTC' of epoch seconds. */
const utcTime = (seconds: number) => `${formatDateTime(seconds * 1000, 'UTC')} UTC`

const maxNamed = 5
/** ' 7 values are unreadable: …, and 2 more.'; '' for none. */
export function describeUnreadable(fields: readonly string[]): string {
  if (fields.length === 0) return ''
  const more = fields.length > maxNamed ? ` and ${fields.length - maxNamed} more` : ''
  const named = fields.slice(0, maxNamed).join(', ')
  return ` ${countNoun(fields.length, 'encrypted value')} cannot be read: ${named}${more}.`
}

/** What administrators read of the backups (operations 19): names of files are without their folders. */
export function describeNotes({ backup, rehearsal }: Omit<NewestNotes, 'restore'>): string {
  const made =
    backup === null
      ? 'No backup has been made yet.'
      : `Last backup: ${utcTime(backup.at)}, ${countNoun(backup.rows, 'row')}.`
  if (rehearsal === null) return backup === null ? made : `${made} It has not been rehearsed.`
  const result =
    rehearsal.fault === null
      ? `${countNoun(rehearsal.rows, 'row')} and ${countNoun(rehearsal.months, 'lock')} ` +
        'came back as they were.' +
        describeUnreadable(rehearsal.unreadable)
      : `it failed. ${rehearsal.fault}.`
  return `${made} Last rehearsal: ${utcTime(rehearsal.at)}, ${result}`
}
