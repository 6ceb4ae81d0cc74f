import { Button, Callout } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Payout, PayoutEntry } from '../../../schemas/api/months/months.ts'
import { sumDollars } from '../../../schemas/dollars.ts'
import { useMediaQuery } from '../../parts/browser.ts'
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

type RunColumn = {
  head: string
  cell: (entry: PayoutEntry) => ReactNode
  className?: string
  /** Of amounts, their sum. */
  total?: number
}

/** What stands beside a payee. In a narrow window what is paid comes first, visible without scrolling. */
const columnsOf = ({ month, entries, total, isclosed, version }: Payout, isNarrow: boolean): RunColumn[] => {
  const account = { head: 'Account', cell: (entry: PayoutEntry) => accountText(entry, isclosed) }
  const held = { head: 'Held', className: 'payout-hold', cell: ({ hold }: PayoutEntry) => hold }
  const pay = { head: 'To Pay', total, cell: ({ payable }: PayoutEntry) => formatDollars(payable) }
  const amounts = [
    {
      head: 'Due',
      total: sum(entries, 'due'),
      cell: (entry: PayoutEntry) => <Due {...{ entry, month }} />,
    },
    {
      head: 'Paid Already',
      total: sum(entries, 'released'),
      cell: ({ released }: PayoutEntry) => formatDollars(released),
    },
  ]
  const before = {
    head: `Due in Version ${version - 1}`,
    total: sum(entries, 'duebefore'),
    cell: ({ due, duebefore }: PayoutEntry) => (
      <span className={duebefore === due ? undefined : 'payout-moved'}>{formatDollars(duebefore ?? 0)}</span>
    ),
  }
  const isLater = version > 1
  return isNarrow
    ? [pay, ...amounts, ...(isLater ? [before] : []), account, held]
    : [account, ...(isLater ? [before] : []), ...amounts, pay, held]
}

/** One line for each payee of the run. */
const RunTable = ({ snapshot, send, payout }: MonthActor & { payout: Payout }) => {
  const { entries, isclosed } = payout
  const isNarrow = useMediaQuery('screen and (max-width: 700px)')
  const columns = columnsOf(payout, isNarrow)
  const isBusy = isUnderWay(snapshot)
  const paid = entries.filter(({ released, payable }) => released > 0 || payable > 0).length
  return (
    <TableFrame label="Payout run" className="payout-scroll">
      <thead>
        <tr>
          <th scope="col">Payee</th>
          {columns.map(({ head, total }) => (
            <th key={head} scope="col" className={total === undefined ? undefined : 'table-figures'}>
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
          <EntryRow key={entry.masteragentid} {...{ entry, send, isBusy, isclosed, columns }} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" className="table-first">
            {formatCount(paid)} of {formatCount(entries.length)} paid
          </th>
          {columns.map(({ head, total }) => (
            <td key={head} className={total === undefined ? undefined : 'table-figures'}>
              {formatDollars(total)}
            </td>
          ))}
          {!isclosed && <td />}
        </tr>
      </tfoot>
    </TableFrame>
  )
}

type RowProps = HoldProps & Pick<Payout, 'isclosed'> & { columns: readonly RunColumn[] }

const EntryRow = ({ entry, send, isBusy, isclosed, columns }: RowProps) => (
  <tr>
    <th scope="row" className="table-first table-name">
      <Link to={`/manage/agents?open=${entry.masteragentid}`}>
        {entry.displayid} - {entry.name}
      </Link>
    </th>
    {columns.map(({ head, cell, className, total }) => (
      <td key={head} className={total === undefined ? className : 'table-figures'}>
        {cell(entry)}
      </td>
    ))}
    {!isclosed && (
      <td>
        <HoldButton {...{ entry, send, isBusy }} />
      </td>
    )}
  </tr>
)

/** Leads to the statement that it is of, where it is one. */
const Due = ({ entry: { due, statements }, month }: Pick<Payout, 'month'> & { entry: PayoutEntry }) => {
  const [masteragentid, ...others] = statements
  const text = formatDollars(due)
  return masteragentid === undefined || others.length > 0 ? (
    text
  ) : (
    <Link to={statementPath({ month, masteragentid })}>{text}</Link>
  )
}

/** Of what was paid before the ledger the account is not known (payouts 16). */
const accountText = (entry: PayoutEntry, isclosed: boolean) => {
  const { account, accounttype, entryclass, released, ischanged } = entry
  if (account === '') return isclosed && released > 0 ? 'Not known' : 'None'
  const text = [account, accounttype, entryclass].filter(Boolean).join(', ')
  return ischanged ? `${text} (confirmed since the lock)` : text
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
