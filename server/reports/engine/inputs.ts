import type { InputKind, ReportOption } from '../../../schemas/api/reports.ts'
import { isIsoDay } from '../../../schemas/dates.ts'
import type { Sql } from '../../db/db.ts'
import { agentInScope } from '../../db/scope.ts'

/**
 * For whom options are read: `scope` is their master agents, null for all; `lockedOnly` leaves out open
 * months.
 */
export type OptionContext = { sql: Sql; scope: number[] | null; lockedOnly: boolean }

/** A value that is refused; `message` continues the display name of the input: 'must be a date …'. */
export class InputError {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

export type InputDefinition<T> = {
  displayname: string
  datatype: InputKind
  isrequired: boolean
  /** With options, only the id of one of them is accepted. */
  options?: (context: OptionContext) => Promise<ReportOption[]>
  /** The value a report is given for what was sent, which is never blank. */
  parse: (sent: string) => T | InputError
  /** The value in words, for file names and the export log; without it, the value as a string. */
  describe?(value: NonNullable<T>): string
}
/** The inputs of a report by name. */
export type InputDefinitions = Readonly<Record<string, InputDefinition<unknown>>>

/** '2026-10-31' of '10/31/2026'; null for anything that is no calendar day from 1900 on. */
const parseDay = (sent: string): string | null => {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(sent) ?? []
  const iso = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  return isIsoDay(iso) && Number(year) >= 1900 ? iso : null
}

/** A calendar date, sent as MM/DD/YYYY; its value is ISO, '2026-10-31'. */
export const dateInput = (displayname: string): InputDefinition<string> => ({
  displayname,
  datatype: 'Date',
  isrequired: true,
  parse: (sent) => parseDay(sent) ?? new InputError('must be a date as MM/DD/YYYY'),
})

/** The inputs of a report over a span of days, both included, and the check that they are in order. */
export const dateSpan = {
  inputs: { from: dateInput('From'), to: dateInput('To') },
  validate: ({ from, to }: { from: string; to: string }): Record<string, string> =>
    from > to ? { to: 'To must not be before From' } : {},
}

/** An optional calendar date; null stands for today. */
export const asOfInput: InputDefinition<string | null> = { ...dateInput('As Of'), isrequired: false }

/** A text, without the blanks at its ends. */
export const textInput = (displayname: string): InputDefinition<string> => ({
  displayname,
  datatype: 'Text',
  isrequired: true,
  parse: (sent) => sent,
})

export const integerInput = (displayname: string, min: number, max: number): InputDefinition<number> => ({
  displayname,
  datatype: 'Int',
  isrequired: true,
  parse(sent) {
    const number = /^\d{1,9}$/.test(sent) ? Number(sent) : Number.NaN
    return number >= min && number <= max
      ? number
      : new InputError(`must be a whole number from ${min} to ${max}`)
  },
})

/** A master agent of the scope; its value is the id. */
export const agentInput: InputDefinition<number> = {
  displayname: 'Master Agent',
  datatype: 'Query',
  isrequired: true,
  options: async ({ sql, scope }) =>
    sql.query<ReportOption>(
      `select id::text as id, displayid || ' - ' || name as displayname from master_agent
        where ${agentInScope('$1', 'id')} order by displayid, id`,
      [scope],
    ),
  parse: Number,
  // The same rule by which the database derives displayid from id.
  describe: (id) => `MA${String(id).padStart(4, '0')}`,
}
export const optionalAgentInput: InputDefinition<number | null> = { ...agentInput, isrequired: false }

/** A payee of the ledger, named as in its newest payment; its value is the id. */
export const payeeInput: InputDefinition<number | null> = {
  ...optionalAgentInput,
  displayname: 'Payee',
  options: async ({ sql, scope }) =>
    sql.query<ReportOption>(
      `select distinct on (p.payeeid) p.payeeid::text as id, p.displayid || ' - ' || p.name as displayname
        from payout_payment p
        where exists (
          select from payout_allocation a
          where a.paymentid = p.id and ${agentInScope('$1', 'a.masteragentid')})
        order by p.payeeid, p.id desc`,
      [scope],
    ),
}
