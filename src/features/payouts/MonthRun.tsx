import { Button, Callout } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import type { Payout, PayoutEntry } from '../../../schemas/api/months/months.ts'
import { sumDollars } from '../../../schemas/dollars.ts'
import { formatCount, formatDollars, formatMonth } from '../../parts/format.ts'
import { TableFrame } from '../../parts/table/TableFrame.tsx'
import { statementPath } from './ledgerRow.ts'
import { isUnderWay, type MonthActor } from './payouts.ts'

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
