import { Button } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import type { Payout } from '../../../schemas/api/months/months.ts'
import { isUnderWay, type MonthActor } from './payouts.ts'
import { isPaid } from './Releases.tsx'

/** What can be done with the month; what cannot is disabled, with the reason below. */
export const StepButtons = ({ snapshot, send }: MonthActor) => {
  const { payout, released } = snapshot.context.view
  const isBusy = isUnderWay(snapshot)
  if (!payout && !isPaid(released)) return null
  return (
    <div className="payout-steps">
      {payout && <PayButton {...{ snapshot, send, payout, isBusy }} />}
      {isPaid(released) && (
        <Button
          text="Book Return"
          disabled={isBusy || released.releases.every(({ cannotreturn }) => cannotreturn !== null)}
          onClick={() => send({ type: 'bookReturn' })}
        />
      )}
      {payout && <ReopenButton {...{ snapshot, send, payout, isBusy }} />}
    </div>
  )
}

type ButtonProps = MonthActor & { payout: Payout; isBusy: boolean }

const PayButton = ({ snapshot, send, payout, isBusy }: ButtonProps) => {
  if (snapshot.context.view.month?.state === 'approved')
    // With keys the one does not take the place, and the focus, of the other.
    return (
      <Button
        key="release"
        intent="primary"
        text="Release"
        disabled={isBusy || payout.cannotrelease !== null}
        onClick={() => send({ type: 'release' })}
      />
    )
  return (
    payout.total > 0 && (
      <Button
        key="approve"
        intent="primary"
        text="Approve"
        disabled={isBusy || payout.cannotapprove !== null}
        onClick={() => send({ type: 'approve' })}
      />
    )
  )
}

/** Opens the month again, with the reason for which it cannot be paid behind it. */
const ReopenButton = ({ snapshot, send, payout, isBusy }: ButtonProps) => {
  const { allowed, view } = snapshot.context
  const isApproved = view.month?.state === 'approved'
  const reason = isApproved ? payout.cannotrelease : payout.cannotapprove
  return (
    <>
      {allowed.reopen && payout.isnewestlock && (
        <Button
          text="Open Again"
          intent="danger"
          variant="minimal"
          disabled={isBusy}
          onClick={() => send({ type: 'reopen' })}
        />
      )}
      {allowed.reopen && !payout.isnewestlock && (
        <span className="payout-reason">
          A later month is locked: what is wrong here is corrected by{' '}
          <Link to="/manage/adjustments?open=new">an adjustment</Link> in an open month.
        </span>
      )}
      {reason !== null && (isApproved || payout.total > 0) && <span className="payout-reason">{reason}</span>}
      {view.month?.state === 'locked' && payout.total === 0 && !payout.isclosed && (
        <span className="payout-reason">Nothing is to be paid now, so there is nothing to approve.</span>
      )}
    </>
  )
}
