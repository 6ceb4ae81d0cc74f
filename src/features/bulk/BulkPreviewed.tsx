import { HTMLTable } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'
import type { BulkPreview } from '../../../schemas/api/bulk/bulk.ts'
import { recordsTitle, type Entity } from '../../../schemas/entities/entity.ts'
import { formatCount } from '../../parts/format.ts'
import { countOf } from './bulk.ts'

type Props = { entity: Entity; preview: BulkPreview; removes: boolean }

/** What would change, what stays as it is, and who is refused and why (bulk 3). */
export const BulkPreviewed = ({ entity, preview, removes }: Props) => {
  const { changed, unchanged, refused, refusals, morerefused } = preview
  const summary = useRef<HTMLParagraphElement>(null)
  useEffect(() => summary.current?.focus(), [])
  return (
    <div className="bulk-preview">
      <p ref={summary} tabIndex={-1} className="bulk-summary">
        {changed === 0 ? `No ${entity.noun}` : countOf(entity, changed)} would be{' '}
        {removes ? 'deleted' : 'changed'}.
        {unchanged > 0 && ` ${formatCount(unchanged)} would stay as before.`}
        {refused > 0 && ` ${formatCount(refused)} would be refused.`}
      </p>
      {preview.changes.length > 0 && <Changes {...{ entity, preview, removes }} />}
      {refusals.length > 0 && (
        <section aria-label="Refused">
          <h3>Refused</h3>
          <ul className="bulk-refusals">
            {refusals.map(({ reason, count, examples }) => (
              <li key={reason}>
                {count === 1 ? (
                  `${examples[0]?.name ?? ''}: ${reason}`
                ) : (
                  <details>
                    <summary>
                      {formatCount(count)}: {reason}
                    </summary>
                    <ul>
                      {examples.map(({ id, name }) => (
                        <li key={id}>{name}</li>
                      ))}
                      {count > examples.length && <li>and {formatCount(count - examples.length)} more</li>}
                    </ul>
                  </details>
                )}
              </li>
            ))}
            {morerefused > 0 && <li>{formatCount(morerefused)} for other reasons</li>}
          </ul>
        </section>
      )}
    </div>
  )
}

const shownText = (text: string) => (text === '' ? <i>(empty)</i> : text)

const Changes = ({ entity, preview: { changes, morechanges } }: Props) => (
  <div className="bulk-changes" role="region" aria-label="Changes" tabIndex={0}>
    <HTMLTable compact>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
          <th scope="col" className="table-figures">
            {recordsTitle(entity)}
          </th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, title, from, to, count }) => (
          <tr key={JSON.stringify([field, from, to])}>
            <td>{title}</td>
            <td>{shownText(from)}</td>
            <td>{shownText(to)}</td>
            <td className="table-figures">{formatCount(count)}</td>
          </tr>
        ))}
        {morechanges > 0 && (
          <tr>
            <td colSpan={3}>Other changes</td>
            <td className="table-figures">{formatCount(morechanges)}</td>
          </tr>
        )}
      </tbody>
    </HTMLTable>
  </div>
)
