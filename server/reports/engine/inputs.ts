import type { InputKind, ReportOption } from '../../../schemas/api/reports.ts'
import type { Sql } from '../../db/db.ts'
import { within } from '../../db/scope.ts'

/** To whom the values are offered. `lockedOnly`: months that are open are not for them. */
export type Offer = { sql: Sql; scope: number[] | null; lockedOnly: boolean }

/** Why a value is not taken, to follow the name of the input. */
export class Wrong {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** `read` turns what was sent into the value a report is given; it never sees an empty one. */
export type Input<T> = {
  displayname: string
  datatype: InputKind
  isrequired: boolean
  offers?: (offer: Offer) => Promise<ReportOption[]>
  read: (sent: string) => T | Wrong
  /** How the value is named in a file; as it is, unless said. */
  told?(value: NonNullable<T>): string
}

const dayOf = (sent: string): string | null => {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(sent) ?? []
  const iso = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  const time = Date.parse(`${iso}T00:00:00Z`)
  return year !== undefined &&
    Number(year) >= 1900 &&
    !Number.isNaN(time) &&
    new Date(time).toISOString().startsWith(iso)
    ? iso
    : null
}

/** A calendar date, given to the report as '2026-10-31'. */
export const day = (displayname: string): Input<string> => ({
  displayname,
  datatype: 'Date',
  isrequired: true,
  read: (sent) => dayOf(sent) ?? new Wrong('must be a date as MM/DD/YYYY'),
})

/** The inputs of a report over a span of days, and that they are in order. */
export const span = {
  inputs: { from: day('From'), to: day('To') },
  check: ({ from, to }: { from: string; to: string }): Record<string, string> =>
    from > to ? { to: 'To must not be before From' } : {},
}

/** A calendar date that may be left empty for today. */
export const asOf: Input<string | null> = { ...day('As Of'), isrequired: false }

export const whole = (displayname: string, least: number, most: number): Input<number> => ({
  displayname,
  datatype: 'Int',
  isrequired: true,
  read(sent) {
    const number = /^\d{1,9}$/.test(sent) ? Number(sent) : Number.NaN
    return number >= least && number <= most
      ? number
      : new Wrong(`must be a whole number from ${least} to ${most}`)
  },
})

/** The master agents of the scope; given to the report as an id. */
export const agent: Input<number> = {
  displayname: 'Master Agent',
  datatype: 'Query',
  isrequired: true,
  offers: async ({ sql, scope }) =>
    sql.query<ReportOption>(
      `select id::text as id, displayid || ' - ' || name as displayname from master_agent
        where ${within('$1', 'id')} order by displayid, id`,
      [scope],
    ),
  read: Number,
  // As the database makes a displayid of an id.
  told: (id) => `MA${String(id).padStart(4, '0')}`,
}
export const anyAgent: Input<number | null> = { ...agent, isrequired: false }
