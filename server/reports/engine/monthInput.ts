import { monthName, listMonths } from '../../money/months.ts'
import type { InputDefinition, InputDefinitions, OptionContext } from './inputs.ts'

/** '2026-10' of '2026-10-01'. */
const yearMonth = (month: string) => month.slice(0, 7)

type OfferedMonth = { month: string; state?: string }
type MonthLister = (context: OptionContext) => Promise<OfferedMonth[]>

/** A month, newest first as `list` answers them; its value is its ISO first day. */
const defineMonthInput = (datatype: 'Query' | 'Query3', list: MonthLister): InputDefinition<string> => ({
  displayname: 'Month',
  datatype,
  isrequired: true,
  options: async (context) =>
    (await list(context)).map(({ month, state }) => ({
      id: yearMonth(month),
      displayname: monthName(month),
      ...(state !== undefined && { state }),
    })),
  parse: (sent) => `${sent}-01`,
  describe: yearMonth,
})

/** The months of which there is pay, with `locked` those alone that are locked, to everybody. */
const monthsOfPay =
  (locked: boolean): MonthLister =>
  async ({ sql, lockedOnly }) =>
    (await listMonths(sql)).filter(({ state }) => state === 'Locked' || !(locked || lockedOnly))

/**
 * The months that hold data or in which cases were filed, not after the current one (reports 25). The month
 * of the newest cases has no compensation data yet. Each month is one look into the index of the cases.
 */
const monthsOfCases: MonthLister = ({ sql }) =>
  sql.query<OfferedMonth>(
    `select month from month_with_data
      union select g::date from generate_series(
          date_trunc('month', (select to_timestamp(min(filedate)) at time zone 'UTC' from chargeback)),
          date_trunc('month', current_date::timestamp), interval '1 month') g
        where exists (
          select from chargeback where filedate >= extract(epoch from g)
            and filedate < extract(epoch from g + interval '1 month'))
      order by month desc`,
  )

/** A further month of pay, which is compared with; its state does not matter. */
export const otherMonthInput = (displayname: string): InputDefinition<string | null> => ({
  ...defineMonthInput('Query', monthsOfPay(false)),
  displayname,
  isrequired: false,
})

/** The name of the input that is the month of the report's pay, which can be locked; undefined for none. */
export const payMonthInput = (inputs: InputDefinitions): string | undefined =>
  Object.keys(inputs).find((name) => inputs[name]!.datatype === 'Query3')

/** The month of a report about pay: its state is shown, and it can be locked. */
export const monthInput = defineMonthInput('Query3', monthsOfPay(false))
export const lockedMonthInput = defineMonthInput('Query3', monthsOfPay(true))
/** The month of a report about cases, which does not depend on locks. */
export const caseMonthInput = defineMonthInput('Query', monthsOfCases)
