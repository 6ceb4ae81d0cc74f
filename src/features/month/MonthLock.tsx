import { Button } from '@blueprintjs/core'
import { LockIcon } from '@blueprintjs/icons'
import type { LockedFigures } from '../../../schemas/api/months/work.ts'
import { shownHashDigits } from '../../../schemas/constants.ts'
import { formatCount, formatDollars, formatLocalDateTime, formatMonth } from '../../parts/format.ts'
import { takesSteps, type MonthActor } from '../payouts/payouts.ts'

/** Locks an open month, and shows what the lock of another one copied (cockpit 5). */
export const MonthLock = ({ snapshot, send }: MonthActor) => {
  const { allowed, view } = snapshot.context
  const { month, detail } = view
  if (month?.state !== 'open')
    return detail?.locked ? (
      <Figures locked={detail.locked} version={month?.version ?? 0} />
    ) : (
      <p className="payout-hint">
        {formatMonth(month?.month)} is locked, version {month?.version}.
      </p>
    )
  if (!allowed.settle)
    return <p className="payout-hint">Who may lock reports and sees all master agents locks it.</p>
  const isEmpty = detail?.files.length === 0
  return (
    <div className="payout-steps">
      <Button
        icon={<LockIcon />}
        intent="primary"
        text={`Lock ${formatMonth(month.month)}`}
        disabled={!takesSteps(snapshot) || isEmpty}
        onClick={() => send({ type: 'lock' })}
      />
      {isEmpty && <span className="payout-reason">There is no file yet.</span>}
    </div>
  )
}

const Figures = ({ locked, version }: { locked: LockedFigures; version: number }) => {
  const { username, at, hash, merchants, net, shares, house, due } = locked
  const figures = [
    ['Merchants', formatCount(merchants)],
    ['Net', formatDollars(net)],
    ['Shares', formatDollars(shares)],
    ['House', formatDollars(house)],
    ['Due', formatDollars(due)],
  ]
  return (
    <>
      <dl className="month-figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="payout-hint">
        Version {version}, locked by {username} on {formatLocalDateTime(at)}, hash{' '}
        <code title={hash}>{hash.slice(0, shownHashDigits)}</code>
      </p>
    </>
  )
}
