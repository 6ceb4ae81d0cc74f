import { Callout, HTMLTable } from '@blueprintjs/core'
import type { Imported, Refusal } from '../../machines/upload.machine.ts'
import { count, dollars } from '../format.ts'

type Props = { isDone: boolean; imported: Imported | null; refused: Refusal | null }

/** What came of the import: the message of the specification for 5 s, and the figures until the next file. */
export const ImportOutcome = ({ isDone, imported, refused }: Props) => (
  <div className="import-outcome">
    <div role="status">
      {isDone && (
        <Callout compact intent="success">
          <strong>Data Imported Successfully</strong>
        </Callout>
      )}
    </div>
    {imported && <Figures imported={imported} />}
    {refused && <Faults refused={refused} />}
  </div>
)

/** Of the totals 'rows' counts, and all others are dollars. */
const Figures = ({ imported: { inserted, updated, unchanged, totals, warnings, ignored } }: { imported: Imported }) => {
  const { rows, ...amounts } = totals
  return (
    <div className="import-figures">
      <h2>Last import</h2>
      <p>
        {rows !== undefined && `${count(rows)} ${rows === 1 ? 'row' : 'rows'} read: `}
        {count(inserted)} added, {count(updated)} changed, {count(unchanged)} as they were.
      </p>
      {Object.keys(amounts).length > 0 && (
        <dl>
          {Object.entries(amounts).map(([name, amount]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{dollars(amount)}</dd>
            </div>
          ))}
        </dl>
      )}
      {warnings.length > 0 && (
        <Callout compact intent="warning">
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Callout>
      )}
      {ignored.length > 0 && <p>Columns that were not used: {ignored.join(', ')}</p>}
    </div>
  )
}

const Faults = ({ refused: { rows, more } }: { refused: Refusal }) => (
  <section className="import-faults" aria-label="What is wrong in the file">
    <h2>Nothing was imported</h2>
    <p>Correct these in the file, then choose it again.</p>
    <div className="table-frame">
      <div className="table-scroll" role="region" aria-label="Faults" tabIndex={0}>
        <HTMLTable compact className="table">
          <thead>
            <tr>
              <th scope="col" className="table-figures">Row</th>
              <th scope="col">Column</th>
              <th scope="col">Value</th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, column, value, message }, index) => (
              <tr key={index}>
                <td className="table-figures">{row ?? ''}</td>
                <td>{column ?? ''}</td>
                <td>
                  <span className="table-text" title={value}>
                    {value}
                  </span>
                </td>
                <td className="table-message">{message}</td>
              </tr>
            ))}
          </tbody>
        </HTMLTable>
      </div>
    </div>
    {more > 0 && <p>and {count(more)} more</p>}
  </section>
)
