import { Callout } from '@blueprintjs/core'
import type { MonthStep } from '../../../machines/month.machine.ts'
import type { Payout } from '../../../schemas/api/months/months.ts'
import { formatDollars } from '../../parts/format.ts'
import type { MonthActor } from './payouts.ts'

type Outcome = (payout: Payout | null) => string | null
const outcomes: Record<MonthStep, Outcome | null> = {
  // Typing goes on: a line above the totals would move them.
  total: null,
  waive: () => 'The findings are waived.',
  lock: () => 'The month is locked.',
  approve: (payout) => payout && `The payouts are approved: ${formatDollars(payout.total)}.`,
  release: (payout) => payout && `${formatDollars(payout.releases.at(-1)?.total)} were released.`,
  hold: () => 'The hold is set.',
  unhold: () => 'The hold is ended.',
  return: () => 'The return is booked: what was paid is due again.',
  reopen: () => 'The month is open again.',
  takeover: () => "Today's records count in the next version.",
  countCopy: () => 'The copies count again.',
}
/** The outcome of the step that was done last; amounts are said once the month was read again. */
export const LatestOutcome = ({ snapshot }: Pick<MonthActor, 'snapshot'>) => {
  const { done, view } = snapshot.context
  return (
    <div role="status">
      {done && <StepOutcome step={done} payout={snapshot.matches('loading') ? null : view.payout} />}
    </div>
  )
}

export const StepOutcome = ({ step, payout }: { step: MonthStep; payout: Payout | null }) => {
  const text = outcomes[step]?.(payout)
  return (
    text && (
      <Callout compact intent="success">
        {text}
      </Callout>
    )
  )
}
