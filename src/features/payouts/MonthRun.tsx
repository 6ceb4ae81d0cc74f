import { Button, Callout, type Intent } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import type { MonthStep } from '../../../machines/month.machine.ts'
import type {
  MonthReleases,
  MonthState,
  Payout,
  PayoutEntry,
  PayoutRelease,
} from '../../../schemas/api/months/months.ts'
import { sumDollars } from '../../../schemas/dollars.ts'
import { countNoun } from '../../../schemas/wording.ts'
import type { DownloadMachine } from '../../parts/downloads.ts'
import { formatCount, formatDollars, formatMonth } from '../../parts/format.ts'
import { TableFrame } from '../../parts/table/TableFrame.tsx'
import { formatDay, formatReleaseWay, statementPath } from './ledgerRow.ts'
import { isUnderWay, type MonthActor } from './payouts.ts'
import { ReleaseFile } from './ReleaseFile.tsx'

/** The words and colours of the states of a month. */
export const stateTags: Record<MonthState, [text: string, intent: Intent]> = {
  open: ['Open', 'none'],
  locked: ['Locked', 'primary'],
  approved: ['Approved', 'warning'],
  released: ['Released', 'success'],
  settled: ['Settled', 'success'],
}

/** What the run of a month pays whom. */
export const MonthRun = ({ snapshot, send, payout }: MonthActor & { payout: Payout }) => (
  <>
    <Notes payout={payout} />
    <RunTable {...{ snapshot, send }} payout={payout} />
    <RunReports payout={payout} />
  </>
)

/** What the amounts of the run are made of, and who did what on their way. */
const reports = {
  'residual-summary': 'Residual Summary by Agent',
  'ach-payout': 'ACH Payout',
  'payout-evidence': 'Payout Evidence',
  'month-checklist': 'Month Checklist',
}
const RunReports = ({ payout: { month, version } }: { payout: Payout }) => {
  const pathOf = (report: string, others = '') => `/reporting?report=${report}&month=${month}${others}&run=1`
  return (
    <nav className="payout-reports" aria-label="Reports of the month">
      Reports of {formatMonth(month)}:
      {Object.entries(reports).map(([report, name]) => (
        <Link key={report} to={pathOf(report)}>
          {name}
        </Link>
      ))}
      {version > 1 && (
        <Link to={pathOf('lock-versions-compared', `&older=${version - 1}&newer=${version}`)}>
          Lock Versions Compared
        </Link>
      )}
    </nav>
  )
}

/** Whether there is a payment of the month that may come back. */
export const isPaid = (released: MonthReleases | null): released is MonthReleases =>
  released !== null && released.releases.length > 0

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

const Notes = ({ payout: { notes } }: { payout: Payout }) =>
  notes.length === 0 ? null : (
    <Callout compact intent="warning" className="payout-notes">
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Callout>
  )

const figureHeads = ['Due', 'Paid Already', 'To Pay']

/** One line for each payee of the run. */
const RunTable = ({ snapshot, send, payout }: MonthActor & { payout: Payout }) => {
  const { month, entries, total, isclosed, version } = payout
  const isLater = version > 1
  const heads = [
    'Payee',
    'Account',
    ...(isLater ? [`Due in Version ${version - 1}`] : []),
    ...figureHeads,
    'Held',
  ]
  const isBusy = isUnderWay(snapshot)
  const paid = entries.filter(({ released, payable }) => released > 0 || payable > 0).length
  return (
    <TableFrame label="Payout run" className="payout-scroll">
      <thead>
        <tr>
          {heads.map((head) => (
            <th
              key={head}
              scope="col"
              className={/^(Due|Paid|To Pay)/.test(head) ? 'table-figures' : undefined}
            >
              {head}
            </th>
          ))}
          {!isclosed && (
            <th scope="col">
              <span className="visually-hidden">Hold</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <EntryRow key={entry.masteragentid} {...{ entry, send, isBusy, month, isclosed, isLater }} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" className="table-first">
            {formatCount(paid)} of {formatCount(entries.length)} paid
          </th>
          <td />
          {isLater && <td className="table-figures">{formatDollars(sum(entries, 'duebefore'))}</td>}
          <td className="table-figures">{formatDollars(sum(entries, 'due'))}</td>
          <td className="table-figures">{formatDollars(sum(entries, 'released'))}</td>
          <td className="table-figures">{formatDollars(total)}</td>
          <td />
          {!isclosed && <td />}
        </tr>
      </tfoot>
    </TableFrame>
  )
}

/** `isLater`: there is a version before. */
type RowProps = HoldProps & Pick<Payout, 'month' | 'isclosed'> & { isLater: boolean }

const EntryRow = ({ entry, send, isBusy, month, isclosed, isLater }: RowProps) => (
  <tr>
    <th scope="row" className="table-first table-name">
      <Link to={`/manage/agents?open=${entry.masteragentid}`}>
        {entry.displayid} - {entry.name}
      </Link>
    </th>
    <td>
      {accountText(entry, isclosed)}
      {entry.ischanged && ' (confirmed since the lock)'}
    </td>
    {isLater && (
      <td className={`table-figures ${entry.duebefore === entry.due ? '' : 'payout-moved'}`}>
        {formatDollars(entry.duebefore ?? 0)}
      </td>
    )}
    {[entry.due, entry.released, entry.payable].map((amount, index) => (
      <td key={figureHeads[index]} className="table-figures">
        {index === 0 ? <Due {...{ entry, month }} /> : formatDollars(amount)}
      </td>
    ))}
    <td className="payout-hold">{entry.hold}</td>
    {!isclosed && (
      <td>
        <HoldButton {...{ entry, send, isBusy }} />
      </td>
    )}
  </tr>
)

/** Leads to the statement that it is of, where it is one. */
const Due = ({ entry: { due, statements }, month }: Pick<RowProps, 'entry' | 'month'>) => {
  const [masteragentid, ...others] = statements
  const text = formatDollars(due)
  return masteragentid === undefined || others.length > 0 ? (
    text
  ) : (
    <Link to={statementPath({ month, masteragentid })}>{text}</Link>
  )
}

/** Of what was paid before the ledger the account is not known (payouts 16). */
const accountText = ({ account, accounttype, entryclass, released }: PayoutEntry, isclosed: boolean) => {
  if (account !== '') return [account, accounttype, entryclass].filter(Boolean).join(', ')
  return isclosed && released > 0 ? 'Not known' : 'None'
}

const sum = (entries: readonly PayoutEntry[], field: 'due' | 'duebefore' | 'released') =>
  sumDollars(entries.map((entry) => entry[field] ?? 0))

type HoldProps = Pick<MonthActor, 'send'> & { entry: PayoutEntry; isBusy: boolean }

const HoldButton = ({ entry, send, isBusy }: HoldProps) => {
  const { isheld: isHeld } = entry
  const name = `${entry.displayid} - ${entry.name}`
  if (entry.hold === 'Office account' && !isHeld) return null
  return (
    <Button
      size="small"
      variant="minimal"
      disabled={isBusy || (isHeld && entry.cannotunhold !== null)}
      title={(isHeld && entry.cannotunhold) || undefined}
      text={isHeld ? 'End Hold' : 'Hold'}
      aria-label={isHeld ? `End the hold of ${name}` : `Hold ${name}`}
      onClick={() => send({ type: isHeld ? 'unhold' : 'hold', entry })}
    />
  )
}

type ReleasesProps = MonthActor & { released: MonthReleases | null; file: DownloadMachine }

/** What was released of a month, with the bank files to be taken again, and how all of it is booked back. */
export const Releases = ({ snapshot, send, released, file }: ReleasesProps) => {
  const isBusy = isUnderWay(snapshot)
  if (!isPaid(released)) return null
  return (
    <ul className="payout-releases" aria-label="Releases">
      {released.releases.map((release) => (
        <li key={release.id}>
          <span>{describeRelease(release)}</span>
          {release.filename !== null && released.takesfiles && (
            <ReleaseFile machine={file} month={released.month} release={release} />
          )}
          {release.returned < release.payments && (
            <Button
              size="small"
              variant="minimal"
              text="Book Return of All"
              aria-label={`Book Return of All: ${describeRelease(release)}`}
              disabled={isBusy || release.cannotreturn !== null}
              onClick={() => send({ type: 'bookReturn', release })}
            />
          )}
          {release.returned < release.payments && release.cannotreturn !== null && (
            <span className="payout-reason">{release.cannotreturn}.</span>
          )}
        </li>
      ))}
    </ul>
  )
}

const describeRelease = ({ version, how, effective, username, approval, ...release }: PayoutRelease) =>
  [
    `${formatDollars(release.total)} to ${countNoun(release.payments, 'payee')}`,
    `version ${version}`,
    formatReleaseWay(how),
    effective === null ? 'day not known' : `effective ${formatDay(effective)}`,
    `by ${username}`,
    ...(approval ? [`approved by ${approval.username}`] : []),
    ...(release.returned > 0
      ? [`${formatCount(release.returned)} came back, ${formatDollars(release.returnedtotal)}`]
      : []),
  ].join(', ')
