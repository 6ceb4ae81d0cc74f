import { HTMLSelect, Tag } from '@blueprintjs/core'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import type { DownloadMachine } from '../../parts/downloads.ts'
import { formatLocalDateTime, formatMonth } from '../../parts/format.ts'
import { DifferenceList } from './DifferenceList.tsx'
import { MonthRun } from './MonthRun.tsx'
import { isUnderWay, stateTags, type MonthActor } from './payouts.ts'
import { Releases } from './Releases.tsx'
import { StepButtons } from './StepButtons.tsx'
import { LatestOutcome } from './StepOutcome.tsx'

type Props = MonthActor & { file: DownloadMachine; onMonth: (month: string) => void }

/** The chosen month: its state, what is to be done with it, its run and its releases (payouts 15). */
export const MonthPayout = ({ snapshot, send, file, onMonth }: Props) => {
  const { view } = snapshot.context
  const { payout, released, differences } = view
  const isBusy = isUnderWay(snapshot)
  return (
    <div aria-busy={isBusy}>
      <div className="payout-head">
        <MonthSelect {...{ snapshot, onMonth }} />
        <StepButtons {...{ snapshot, send }} />
      </div>
      <LatestOutcome snapshot={snapshot} />
      {payout ? (
        <MonthRun {...{ snapshot, send, payout }} />
      ) : (
        <p className="payout-hint">
          {formatMonth(view.month?.month)} is open. Its payouts are settled once it is locked on{' '}
          <Link to={`/month/${view.month?.month ?? ''}`}>Month</Link> or on{' '}
          <Link to="/reporting">Reporting</Link>. Payments are held, and holds ended, in the form of a{' '}
          <Link to="/manage/agents">master agent</Link>.
        </p>
      )}
      <Releases {...{ snapshot, send, released, file }} />
      {payout && (
        <nav className="payout-reports" aria-label="Steps before the payout">
          <Link to={`/month/${payout.month}`}>Files, Findings and Lock of {formatMonth(payout.month)}</Link>
        </nav>
      )}
      {differences && <DifferenceList {...{ snapshot, send, differences }} />}
    </div>
  )
}

/** Which month is shown, its state, and who locked and approved it. */
export const MonthSelect = ({ snapshot, onMonth }: Pick<Props, 'snapshot' | 'onMonth'>) => {
  const { months, month, payout } = snapshot.context.view
  const id = useId()
  const [text, intent] = stateTags[month?.state ?? 'open']
  return (
    <div className="payout-select">
      <label htmlFor={id}>Month</label>
      <HTMLSelect
        id={id}
        iconProps={{ title: undefined, 'aria-hidden': true }}
        value={month?.month}
        disabled={snapshot.matches('working')}
        onChange={({ currentTarget }) => onMonth(currentTarget.value)}
      >
        {months.map((it) => (
          <option key={it.month} value={it.month}>
            {formatMonth(it.month)} ({stateTags[it.state][0]})
          </option>
        ))}
      </HTMLSelect>
      <Tag large minimal intent={intent}>
        {text}
      </Tag>
      {payout && (
        <span className="payout-by">
          Version {payout.version}, locked by {payout.lockedby}
          {payout.approval &&
            `; approved by ${payout.approval.username} on ${formatLocalDateTime(payout.approval.at)}`}
        </span>
      )}
    </div>
  )
}
