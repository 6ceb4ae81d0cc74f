import { HTMLTable } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import type { OwnHome } from '../../../schemas/api/home.ts'
import { formatDollars, formatMonth } from '../../parts/format.ts'
import { MonthBars } from '../month/MonthBars.tsx'
import { statementPath } from '../payouts/ledgerRow.ts'
import { shortMonth } from './ownHome.ts'

type Months = OwnHome['months']
type Props = { months: Months; total: number; masteragentid: number }

/** What the last locked months brought, as a small chart and as a table (shell 13). */
export const MonthsCard = ({ months, total, masteragentid }: Props) => (
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
        <Chart months={months} />
        <details>
          <summary>As a table</summary>
          <MonthsTable {...{ months, masteragentid }} />
        </details>
      </>
    )}
  </section>
)

const height = 72

const titleOf = ({ month, earned }: Months[number]) => `${formatMonth(month)}: ${formatDollars(earned)}`

const Chart = ({ months }: { months: Months }) => (
  <figure className="home-own-chart">
    <MonthBars
      label={`Earned from ${formatMonth(months[0]!.month)} to ${formatMonth(months.at(-1)!.month)}`}
      {...{ months, height }}
      values={months.map(({ earned }) => earned)}
      titles={months.map(titleOf)}
    />
    <div aria-hidden className="home-own-labels">
      {months.map(({ month }) => (
        <span key={month}>{shortMonth(month)}</span>
      ))}
    </div>
  </figure>
)

/** Each month leads to its statement. */
const MonthsTable = ({ months, masteragentid }: Omit<Props, 'total'>) => (
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
          <th scope="row">
            <Link to={statementPath({ month, masteragentid })}>{formatMonth(month)}</Link>
          </th>
          <td className="home-money">{formatDollars(earned)}</td>
          <td className="home-money">{formatDollars(paid)}</td>
        </tr>
      ))}
    </tbody>
  </HTMLTable>
)
