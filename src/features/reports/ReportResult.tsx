import { Button, Callout, Tag } from '@blueprintjs/core'
import { DuplicateIcon, LockIcon, SearchIcon } from '@blueprintjs/icons'
import { useMemo, useState } from 'react'
import type { Values } from '../../../machines/report.machine.ts'
import type {
  Lock,
  ReportColumn,
  ReportResult as Result,
  ReportRow,
  ReportType,
} from '../../../schemas/api/reports.ts'
import { shownHashDigits } from '../../../schemas/constants.ts'
import { describeValues } from '../../forms/reportInputs.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { formatCount } from '../../parts/format.ts'
import { toTabSeparated } from './cells.ts'
import { ReportTable } from './ReportTable.tsx'

/** A sort key in which capitals and accents do not count. */
const foldCaseAndAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * The rows sorted by a column: '{name}' ascending, '-{name}' descending, '' as the server answered them.
 * Blanks come last either way, and equal rows keep their order (reports 6).
 */
export const sortRows = (
  columns: readonly ReportColumn[],
  rows: readonly ReportRow[],
  sort: string,
): readonly ReportRow[] => {
  const [name, sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1]
  if (!columns.some((column) => column.name === name)) return rows
  const keyed: { row: ReportRow; key: string | number }[] = []
  const blank: ReportRow[] = []
  for (const row of rows) {
    const value = row[name]
    if (value === null || value === undefined || value === '') blank.push(row)
    else keyed.push({ row, key: typeof value === 'string' ? foldCaseAndAccents(value) : Number(value) })
  }
  keyed.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0))
  return [...keyed.map(({ row }) => row), ...blank]
}

type Props = { report: ReportType; result: Result; asked: Values; stale: boolean; busy: boolean }

/** The result of a report below the values of its inputs. */
export const ReportResult = ({ report, result, asked, stale, busy }: Props) => {
  const [sort, setSort] = useState('')
  const { columns, data, totals, notes, lock } = result
  const rows = useMemo(() => sortRows(columns, data, sort), [columns, data, sort])
  const isEmpty = data.length === 0
  return (
    <section className="report-result">
      <header className="report-head">
        <h2>{report.name}</h2>
        {describeValues({ report, values: asked }).map(([name, value]) => (
          <span key={name} className="report-asked">
            {name}: <strong>{value}</strong>
          </span>
        ))}
        {lock && <LockTag lock={lock} />}
        <span className="report-count" role="status">
          {formatCount(data.length)} {data.length === 1 ? 'row' : 'rows'}
        </span>
        {!isEmpty && <CopyButton key={sort} text={() => toTabSeparated(columns, rows, totals)} />}
      </header>
      {stale && (
        <Callout compact intent="warning" className="report-stale">
          These figures are not of the inputs above as they are now. Generate the report again.
        </Callout>
      )}
      {notes.length > 0 && (
        <ul className="report-notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <ReportTable
        label={report.name}
        {...{ columns, rows, sort, busy }}
        totals={isEmpty ? null : totals}
        onSort={setSort}
        emptyState={isEmpty ? <NoRows /> : undefined}
      />
    </section>
  )
}

const LockTag = ({ lock: { version, hash, username } }: { lock: Lock }) => (
  <Tag minimal intent="success" icon={<LockIcon size={12} />} title={`Locked by ${username}. Hash ${hash}`}>
    Locked, version {version}, hash {hash.slice(0, shownHashDigits)}
  </Tag>
)

const CopyButton = ({ text }: { text: () => string }) => {
  const [isCopied, setCopied] = useState(false)
  // Undefined on a page without TLS.
  const clipboard = (navigator as Partial<Navigator>).clipboard
  return (
    clipboard && (
      <Button
        size="small"
        variant="minimal"
        icon={<DuplicateIcon />}
        text={isCopied ? 'Copied' : 'Copy'}
        onClick={() => void clipboard.writeText(text()).then(() => setCopied(true))}
      />
    )
  )
}

const NoRows = () => (
  <EmptyState title="The report has no rows" icon={<SearchIcon size={32} />}>
    There is nothing for these inputs.
  </EmptyState>
)
