import { Button, Callout, Tag } from '@blueprintjs/core'
import { DuplicateIcon, LockIcon, SearchIcon } from '@blueprintjs/icons'
import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Values } from '../../../machines/report.machine.ts'
import type { Lock, ReportFigure, ReportResult as Result, ReportType } from '../../../schemas/api/reports.ts'
import { shownHashDigits } from '../../../schemas/constants.ts'
import { describeValues } from '../../forms/reportInputs.ts'
import { useMediaQuery } from '../../parts/browser.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { formatCount } from '../../parts/format.ts'
import { formatValue, toTabSeparated } from './cells.ts'
import { ReportCards } from './ReportCards.tsx'
import { ReportTable, useIsPrinting } from './ReportTable.tsx'
import { rowsOf, shownColumns, shownLines, shownTotals, type ShownLine } from './shownRows.ts'

type Props = {
  report: ReportType
  result: Result
  resultValues: Values
  stale: boolean
  busy: boolean
  /** '{column}', '-{column}' for descending, or ''. */
  sort: string
  onSort: (sort: string) => void
}

/** The result of a report below the values of its inputs. */
export const ReportResult = ({ report, result, resultValues, stale, busy, sort, onSort }: Props) => {
  const [withEmpty, setWithEmpty] = useState(false)
  // An answer of columns and data alone is shown as well.
  const { columns, data, totals = null, notes = [], lock = null, links = [], figure } = result
  const lines = useMemo(() => shownLines(result, sort), [result, sort])
  const { shown, empty } = useMemo(() => shownColumns(result, withEmpty), [result, withEmpty])
  const isEmpty = data.length === 0
  const isNarrow = useMediaQuery('screen and (max-width: 700px)')
  const isPrinting = useIsPrinting()
  const Rows = isNarrow && !isPrinting ? ReportCards : ReportTable
  return (
    <section className="report-result">
      <header className="report-head">
        {figure && figure.value !== null && !isEmpty && <Figure figure={figure} />}
        <h2>{report.name}</h2>
        {describeValues({ report, values: resultValues }).map(([name, value]) => (
          <span key={name} className="report-input">
            {name}: <strong>{value}</strong>
          </span>
        ))}
        {lock && <LockTag lock={lock} />}
        {links.map(({ text, path }) => (
          <Link key={path} to={path}>
            {text}
          </Link>
        ))}
        <span className="report-count" role="status">
          {formatCount(data.length)} {data.length === 1 ? 'row' : 'rows'}
        </span>
        {empty > 0 && (
          <Button
            size="small"
            variant="minimal"
            aria-expanded={withEmpty}
            text={emptyText(empty, withEmpty)}
            onClick={() => setWithEmpty(!withEmpty)}
          />
        )}
        {!isEmpty && <CopyButton lines={lines} text={() => toTabSeparated(columns, rowsOf(lines), totals)} />}
      </header>
      {stale && (
        <Callout compact intent="warning" className="report-stale">
          These figures are not of the inputs above as they are now. Generate the report again.
        </Callout>
      )}
      {notes.length > 0 && <Notes notes={notes} />}
      <Rows
        label={report.name}
        {...{ lines, sort, onSort, busy }}
        columns={shown}
        pinned={figure?.column ?? null}
        totals={isEmpty ? null : shownTotals(shown, totals)}
        emptyState={isEmpty ? <NoRows /> : undefined}
      />
    </section>
  )
}

const Notes = ({ notes }: Pick<Result, 'notes'>) => (
  <ul className="report-notes">
    {notes.map((note) => (
      <li key={note}>{note}</li>
    ))}
  </ul>
)

const emptyText = (count: number, areShown: boolean) => {
  const columns = `${count} empty ${count === 1 ? 'column' : 'columns'}`
  return areShown ? `Hide ${columns}` : `${columns} hidden`
}

/** The figure the report is for (reports 37). */
const Figure = ({ figure: { words, value, datatype } }: { figure: ReportFigure }) => (
  <p className="report-figure">
    <span>{words}</span> <strong>{formatValue(datatype, value)}</strong>
  </p>
)

const LockTag = ({ lock: { version, hash, username } }: { lock: Lock }) => (
  <Tag minimal intent="success" icon={<LockIcon size={12} />} title={`Locked by ${username}. Hash ${hash}`}>
    Locked, version {version}, hash {hash.slice(0, shownHashDigits)}
  </Tag>
)

type CopyProps = { lines: readonly ShownLine[]; text: () => string }

/** Says of these lines that they were copied, and not of those that take their place. */
const CopyButton = ({ lines, text }: CopyProps) => {
  const [copied, setCopied] = useState<CopyProps['lines'] | null>(null)
  // Undefined on a page without TLS.
  const clipboard = (navigator as Partial<Navigator>).clipboard
  return (
    clipboard && (
      <Button
        size="small"
        variant="minimal"
        icon={<DuplicateIcon />}
        text={copied === lines ? 'Copied' : 'Copy'}
        onClick={() => void clipboard.writeText(text()).then(() => setCopied(lines))}
      />
    )
  )
}

const NoRows = () => (
  <EmptyState title="The report has no rows" icon={<SearchIcon size={32} />}>
    There is nothing for these inputs.
  </EmptyState>
)
