import { monthName, months } from '../months.ts'
import { monthOnWire } from './lock.ts'
import type { Input } from './inputs.ts'

/** A month, newest first; given to the report as its ISO first day. `locked`: only a locked month will do, whoever asks. */
const monthOf = (datatype: 'Query' | 'Query3', locked: boolean): Input<string> => ({
  displayname: 'Month',
  datatype,
  isrequired: true,
  offers: async ({ sql, lockedOnly }) =>
    (await months(sql))
      .filter(({ state }) => state === 'Locked' || !(locked || lockedOnly))
      .map(({ month, state }) => ({ id: monthOnWire(month), displayname: monthName(month), ...(datatype === 'Query3' && { state }) })),
  read: (sent) => `${sent}-01`,
  told: monthOnWire,
})

/** The month of a report about money: its state is shown, and it can be locked. */
export const month = monthOf('Query3', false)
export const lockedMonth = monthOf('Query3', true)
/** The month of a report that has nothing to do with its lock. */
export const plainMonth = monthOf('Query', false)
