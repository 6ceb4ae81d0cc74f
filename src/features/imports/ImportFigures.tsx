import { Callout } from '@blueprintjs/core'
import type { Imported } from '../../../machines/upload.machine.ts'
import { formatCount, formatDollars } from '../../parts/format.ts'

/** The sums of a file by their names. Of the totals 'rows' counts, and all others are dollars. */
export const dollarTotals = (totals: Record<string, number>): [name: string, amount: string][] =>
  Object.entries(totals)
    .filter(([name]) => name !== 'rows')
    .map(([name, amount]) => [name, formatDollars(amount)])

type Props = { figures: readonly (readonly [name: string, figure: string])[]; isLarge?: boolean }
export const FigureList = ({ figures, isLarge = false }: Props) =>
  figures.length > 0 && (
    <dl className={isLarge ? 'figures figures-large' : 'figures'}>
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  )

/** What should be known of the file besides its figures. */
export const Remarks = ({ warnings, ignored }: Pick<Imported, 'warnings' | 'ignored'>) => (
  <>
    {warnings.length > 0 && (
      <Callout compact intent="warning">
        <ul className="import-warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </Callout>
    )}
    {ignored.length > 0 && <p>Columns that were not used: {ignored.join(', ')}</p>}
  </>
)

/** What the last import did. */
export const LastImport = ({
  imported: { inserted, updated, unchanged, totals, warnings, ignored },
}: {
  imported: Imported
}) => (
  <section className="import-result" aria-label="Last import">
    <h2>Last import</h2>
    <p>
      {totals.rows !== undefined &&
        `${formatCount(totals.rows)} ${totals.rows === 1 ? 'row' : 'rows'} read: `}
      {formatCount(inserted)} added, {formatCount(updated)} changed, {formatCount(unchanged)} as they were.
    </p>
    <FigureList figures={dollarTotals(totals)} />
    <Remarks warnings={warnings} ignored={ignored} />
  </section>
)
