import { Callout } from '@blueprintjs/core'
import type { Preview } from '../../../machines/upload.machine.ts'
import type { Difference } from '../../../schemas/imports/importReplies.ts'
import { formatCount } from '../../parts/format.ts'
import { FileRows } from './ImportFaults.tsx'
import { FigureList, Remarks, SourceLine, dollarTotals } from './ImportFigures.tsx'

const countsByName = ({ inserted, updated, unchanged, rejected }: Preview) =>
  [
    ['New', formatCount(inserted)],
    ['Changed', formatCount(updated)],
    ['Unchanged', formatCount(unchanged)],
    ['Rejected', formatCount(rejected)],
  ] as const

/** 'Preview: New 2, Changed 1, Unchanged 0, Rejected 0', read aloud by screen readers. */
export const summarizePreview = (preview: Preview): string =>
  `Preview: ${countsByName(preview)
    .map((pair) => pair.join(' '))
    .join(', ')}`

/** What an import of the file would do: counts, control totals, the first changed values (imports 16). */
export const ImportPreview = ({ preview }: { preview: Preview }) => {
  const { source, totals, differences, questions, updated, warnings, ignored } = preview
  const differenceCount = differences.length === 1 ? 'value' : `${formatCount(differences.length)} values`
  return (
    <section className="import-result" aria-label="Preview">
      <h2>Preview</h2>
      <SourceLine source={source} />
      <p>Nothing is stored yet.</p>
      <FigureList isLarge figures={countsByName(preview)} />
      <FigureList
        figures={[
          ...(totals.rows === undefined ? [] : [['Rows', formatCount(totals.rows)] as const]),
          ...dollarTotals(totals),
        ]}
      />
      {questions.length > 0 && (
        <Callout compact intent="warning">
          <strong>The import asks to confirm</strong>
          <ul className="import-warnings">
            {questions.map(({ key, text }) => (
              <li key={key}>{text}</li>
            ))}
          </ul>
        </Callout>
      )}
      <Remarks warnings={warnings} ignored={ignored} />
      {differences.length > 0 && (
        <>
          <h3>{`The first ${differenceCount} that would change`}</h3>
          <Differences differences={differences} />
          {updated > new Set(differences.map(({ row }) => row)).size && (
            <p>{formatCount(updated)} rows would change in all.</p>
          )}
        </>
      )}
    </section>
  )
}

const Differences = ({ differences }: { differences: readonly Difference[] }) => (
  <FileRows
    label="Differences"
    heads={['Record', 'Column', 'Stored now', 'In the file']}
    className="import-differences"
  >
    {differences.map(({ row, key, column, before, after }, index) => (
      <tr key={index}>
        <td className="table-figures">{row}</td>
        <td>{key}</td>
        <td>{column}</td>
        <ValueCell text={before} />
        <ValueCell text={after} />
      </tr>
    ))}
  </FileRows>
)

const ValueCell = ({ text }: { text: string }) => (
  <td>
    {text === '' ? (
      <span className="import-blank">blank</span>
    ) : (
      <span className="table-text" title={text}>
        {text}
      </span>
    )}
  </td>
)
