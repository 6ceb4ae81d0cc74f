import { Button, Classes } from '@blueprintjs/core'
import { useId, useState } from 'react'
import { formatUsDate } from '../../../schemas/dates.ts'
import type { Batch, Import } from '../../../schemas/imports/imports.ts'
import { formatCount, formatLocalDateTime } from '../../parts/format.ts'
import { dollarTotals, MonthLink } from './ImportFigures.tsx'

/** The first digits of a file's SHA-256; the whole hash is in the title and can be copied. */
const FileHash = ({ sha256 }: { sha256: string }) => {
  const [isCopied, setCopied] = useState(false)
  // Undefined on a page without TLS.
  const clipboard = (navigator as Partial<Navigator>).clipboard
  return (
    <span className="import-sha">
      <code title={`SHA-256 ${sha256}`}>{sha256.slice(0, 8)}</code>
      {clipboard && (
        <Button
          size="small"
          variant="minimal"
          text={isCopied ? 'Copied' : 'Copy'}
          aria-label={isCopied ? 'Copied' : `Copy the SHA-256 that begins with ${sha256.slice(0, 8)}`}
          onClick={() => void clipboard.writeText(sha256).then(() => setCopied(true))}
        />
      )}
    </span>
  )
}

/** Columns that are shown only when some row has a value in them. */
type OptionalColumns = { dates: boolean; sums: boolean }

type BatchTableHeadProps = { definition: Import; optionalColumns: OptionalColumns }

export const BatchTableHead = ({ definition, optionalColumns }: BatchTableHeadProps) => (
  <thead>
    <tr>
      {optionalColumns.dates && <th scope="col">{definition.dated ? 'Date' : 'Processor and Month'}</th>}
      <th scope="col">Imported</th>
      <th scope="col">File</th>
      <th scope="col" className="table-figures">
        Rows
      </th>
      <th scope="col" className="table-figures">
        Added
      </th>
      <th scope="col" className="table-figures">
        Changed
      </th>
      <th scope="col" className="table-figures">
        Unchanged
      </th>
      {optionalColumns.sums && <th scope="col">Sums</th>}
      <th scope="col">State</th>
    </tr>
  </thead>
)

/** Grey lines shown before the first rows are loaded. */
export const BatchSkeletonRows = ({ optionalColumns }: Pick<BatchTableHeadProps, 'optionalColumns'>) =>
  [1, 2, 3].map((line) => (
    <tr key={line} aria-hidden="true">
      {Array.from({ length: 7 + Number(optionalColumns.dates) + Number(optionalColumns.sums) }, (_, cell) => (
        <td key={cell}>
          <span className={Classes.SKELETON}>Loading</span>
        </td>
      ))}
    </tr>
  ))

type Props = { batch: Batch; optionalColumns: OptionalColumns; onUndo: () => void }

/** One imported file: when and by whom, its figures, and whether it was undone (imports 21). */
export const BatchRow = ({ batch, optionalColumns, onUndo }: Props) => {
  const { filename, username, importedat, rows, inserted, updated, unchanged, totals } = batch
  return (
    <tr className={batch.state === 'undone' ? 'import-undone' : undefined}>
      {optionalColumns.dates && <SourceCell batch={batch} />}
      <td>
        <time dateTime={new Date(importedat * 1000).toISOString()}>{formatLocalDateTime(importedat)}</time>
        <span className="import-second">by {username}</span>
      </td>
      <td>
        <span className="table-text" title={filename}>
          {filename}
        </span>
        <FileHash sha256={batch.sha256} />
      </td>
      {[rows, inserted, updated, unchanged].map((rowCount, index) => (
        <td key={index} className="table-figures">
          {formatCount(rowCount)}
        </td>
      ))}
      {optionalColumns.sums && (
        <td>
          {dollarTotals(totals).map(([name, amount]) => (
            <span key={name} className="import-sum">
              <span>{name}</span> {amount}
            </span>
          ))}
        </td>
      )}
      <td>
        <BatchState batch={batch} onUndo={onUndo} />
      </td>
    </tr>
  )
}

/** The processor above its month, where the import noted it; the day of daily volume. */
const SourceCell = ({ batch: { processor, date } }: Pick<Props, 'batch'>) => {
  const when = date?.length === 7 ? <MonthLink month={date} /> : formatUsDate(date ?? '')
  return processor === null ? (
    <td>{when}</td>
  ) : (
    <td>
      <span className="table-text" title={processor}>
        {processor}
      </span>
      <span className="import-second">{when}</span>
    </td>
  )
}

const BatchState = ({ batch, onUndo }: Pick<Props, 'batch' | 'onUndo'>) =>
  batch.state === 'undone' ? (
    <>
      Undone
      <span className="import-second">
        by {batch.undoneby ?? 'somebody'}
        {batch.undoneat !== null && `, ${formatLocalDateTime(batch.undoneat)}`}
      </span>
    </>
  ) : (
    <span className="import-state">
      Imported
      <UndoButton batch={batch} onUndo={onUndo} />
    </span>
  )

/** Undo; closed for an import that cannot be undone, with the reason to be opened below it. */
const UndoButton = ({ batch, onUndo }: Pick<Props, 'batch' | 'onUndo'>) => {
  const id = useId()
  const { allowed, reason } = batch.undo
  return (
    <>
      <Button
        size="small"
        text="Undo"
        disabled={!allowed}
        aria-label={`Undo the import of ${batch.filename}, ${formatLocalDateTime(batch.importedat)}`}
        aria-describedby={reason ? id : undefined}
        onClick={onUndo}
      />
      {reason && (
        <details className="import-second import-closed">
          <summary>Why not?</summary>
          <span id={id}>
            <span className="visually-hidden">Cannot be undone: </span>
            {reason}
          </span>
        </details>
      )}
    </>
  )
}
