import { Button, Classes } from '@blueprintjs/core'
import { useState } from 'react'
import type { Batch, Import } from '../../../schemas/imports/imports.ts'
import { formatCount, formatLocalDateTime } from '../../parts/format.ts'
import { dollarTotals } from './ImportFigures.tsx'

/** The SHA-256 of a file: its first digits to be told apart by, all of them in the title and to be copied. */
export const FileHash = ({ sha256 }: { sha256: string }) => {
  const [isCopied, setCopied] = useState(false)
  // A page without TLS has no clipboard; the title can still be read.
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

/** '2026-05-04' as '05/04/2026', '2026-05' as '05/2026' */
const formatUsDate = (text: string) =>
  text.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1').replace(/^(\d{4})-(\d\d)$/, '$2/$1')

/** Which columns there is something to say in. */
export type OptionalColumns = { dates: boolean; sums: boolean }

export const BatchTableHead = ({ it: definition, has }: { it: Import; has: OptionalColumns }) => (
  <thead>
    <tr>
      <th scope="col">Imported</th>
      <th scope="col">File</th>
      {has.dates && <th scope="col">{definition.dated ? 'Date' : 'Month'}</th>}
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
      {has.sums && <th scope="col">Sums</th>}
      <th scope="col">State</th>
    </tr>
  </thead>
)

/** Grey lines before the first rows are there. */
export const BatchSkeletonRows = ({ has }: { has: OptionalColumns }) =>
  [1, 2, 3].map((line) => (
    <tr key={line} aria-hidden="true">
      {Array.from({ length: 7 + Number(has.dates) + Number(has.sums) }, (_, cell) => (
        <td key={cell}>
          <span className={Classes.SKELETON}>Loading</span>
        </td>
      ))}
    </tr>
  ))

type Props = { batch: Batch; optionalColumns: OptionalColumns; onUndo: () => void }

/** One imported file: who, when, what, how much, and whether it still counts. */
export const BatchRow = ({ batch, optionalColumns: has, onUndo }: Props) => {
  const { filename, username, importedat, rows, inserted, updated, unchanged, totals } = batch
  const isUndone = batch.state === 'undone'
  return (
    <tr className={isUndone ? 'import-undone' : undefined}>
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
      {has.dates && <td>{formatUsDate(batch.date ?? '')}</td>}
      {[rows, inserted, updated, unchanged].map((figure, index) => (
        <td key={index} className="table-figures">
          {formatCount(figure)}
        </td>
      ))}
      {has.sums && (
        <td>
          {dollarTotals(totals).map(([name, amount]) => (
            <span key={name} className="import-sum">
              <span>{name}</span> {amount}
            </span>
          ))}
        </td>
      )}
      <td>
        {isUndone ? (
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
            <Button
              size="small"
              text="Undo"
              aria-label={`Undo the import of ${filename}, ${formatLocalDateTime(importedat)}`}
              onClick={onUndo}
            />
          </span>
        )}
      </td>
    </tr>
  )
}
