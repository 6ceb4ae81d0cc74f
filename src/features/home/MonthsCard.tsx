import { HTMLTable } from '@blueprintjs/core'
import type { OwnHome } from '../../../schemas/api/home.ts'
import { formatDollars, formatMonth } from '../../parts/format.ts'
import { barsOf } from '../month/trendFigures.ts'
import { shortMonth } from './ownHome.ts'

type Months = OwnHome['months']

/** What the last locked months brought, as a small chart and as a table (shell 13). */
export const MonthsCard = ({ months, total }: { months: Months; total: number }) => (
  <section className="home-card home-own-card" aria-labelledby="home-months">
    <h2 id="home-months">Earned by Month</h2>
    {months.length === 0 ? (
      <p>Up to twelve locked months stand here, the newest last.</p>
    ) : (
      <>
        <p className="home-own-figure">
          <span>{months.length === 1 ? 'In 1 month' : `In ${months.length} months`}</span>
          <strong>{formatDollars(total)}</strong>
        </p>
        <MonthBars months={months} />
        <details>
          <summary>As a table</summary>
          <MonthsTable months={months} />
        </details>
      </>
    )}
  </section>
)

const height = 72
const step = 10
const barWidth = 8

const titleOf = ({ month, earned }: Months[number]) => `${formatMonth(month)}: ${formatDollars(earned)}`

const MonthBars = ({ months }: { months: Months }) => {
  const bars = barsOf(
    months.map(({ earned }) => earned),
    height,
  )
  const name = `Earned from ${formatMonth(months[0]!.month)} to ${formatMonth(months.at(-1)!.month)}`
  return (
    <figure className="home-own-chart">
      <svg
        role="img"
        aria-label={name}
        viewBox={`0 0 ${months.length * step} ${height}`}
        preserveAspectRatio="none"
      >
        {bars.map(
          (bar, index) =>
            bar && (
              <rect
                key={months[index]!.month}
                x={index * step + 1}
                y={bar.y}
                width={barWidth}
                height={bar.height}
              >
                <title>{titleOf(months[index]!)}</title>
              </rect>
            ),
        )}
      </svg>
      <div aria-hidden className="home-own-labels">
        {months.map(({ month }) => (
          <span key={month}>{shortMonth(month)}</span>
        ))}
      </div>
    </figure>
  )
}

const MonthsTable = ({ months }: { months: Months }) => (
  <HTMLTable compact striped aria-label="Earned by month">
    <thead>
      <tr>
        <th scope="col">Month</th>
        <th scope="col" className="home-money">
          Earned
        </th>
        <th scope="col" className="home-money">
          Paid
        </th>
      </tr>
    </thead>
    <tbody>
      {[...months].reverse().map(({ month, earned, paid }) => (
        <tr key={month}>
          <th scope="row">{formatMonth(month)}</th>
          <td className="home-money">{formatDollars(earned)}</td>
          <td className="home-money">{formatDollars(paid)}</td>
        </tr>
      ))}
    </tbody>
  </HTMLTable>
)
