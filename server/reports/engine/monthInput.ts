import { monthName, listMonths } from '../../money/months.ts'
import type { InputDefinition } from './inputs.ts'

/** '2026-10' of '2026-10-01'. */
export const yearMonth = (month: string) => month.slice(0, 7)

/**
 * A month, newest first; its value is its ISO first day. `locked` offers locked months alone to everybody.
 */
const defineMonthInput = (datatype: 'Query' | 'Query3', locked: boolean): InputDefinition<string> => ({
  displayname: 'Month',
  datatype,
  isrequired: true,
  options: async ({ sql, lockedOnly }) =>
    (await listMonths(sql))
      .filter(({ state }) => state === 'Locked' || !(locked || lockedOnly))
      .map(({ month, state }) => ({
        id: yearMonth(month),
        displayname: monthName(month),
        ...(datatype === 'Query3' && { state }),
      })),
  parse: (sent) => `${sent}-01`,
  describe: yearMonth,
})

/** The month of a report about pay: its state is shown, and it can be locked. */
export const monthInput = defineMonthInput('Query3', false)
export const lockedMonthInput = defineMonthInput('Query3', true)
/** The month of a report that does not depend on locks. */
export const plainMonthInput = defineMonthInput('Query', false)
