import { useActor } from '@xstate/react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { TrendMonth } from '../../../schemas/api/months/trend.ts'
import { LoadFailure } from '../../parts/EmptyState.tsx'
import { formatMonth } from '../../parts/format.ts'
import { useActorEnvironment, useLoadOnMount } from '../../parts/hooks/actorEnvironment.ts'
import { TableFrame } from '../../parts/table/TableFrame.tsx'
import { TableHeads } from '../../parts/table/TableHeads.tsx'
import { MonthBars } from './MonthBars.tsx'
import { formatFigure, trendFigures, type TrendFigure } from './trendFigures.ts'

type Props = { month: string; machineOf: (month: string) => typeof loadMachine }

/** The months before, as small charts and as a table (cockpit 7). */
export const MonthTrend = ({ month, machineOf }: Props) => {
  const [machine] = useState(() => machineOf(month))
  const [loaded, send] = useActor(machine, useActorEnvironment())
  useLoadOnMount(send)
  if (loaded.matches('failed'))
    return <LoadFailure what="The months before" onReload={() => send({ type: 'load' })} />
  const months = loaded.context.result as readonly TrendMonth[] | null
  if (months === null) return <p className="payout-hint">Loading the months before</p>
  if (months.length === 0) return <p className="payout-hint">No month up to this one has a file.</p>
  return (
    <>
      <div className="month-charts">
        {trendFigures.map((figure) => (
          <Chart key={figure.title} {...{ figure, months, month }} />
        ))}
      </div>
      <details className="month-table">
        <summary>As a table</summary>
        <TrendTable months={months} />
      </details>
    </>
  )
}

const height = 44

const titleOf = (figure: TrendFigure, month: TrendMonth) =>
  `${formatMonth(month.month)}: ${formatFigure(figure, month)}`

type ChartProps = { figure: TrendFigure; months: readonly TrendMonth[]; month: string }

/** The bar of the chosen month stands out; the table says the same. */
const Chart = ({ figure, months, month }: ChartProps) => {
  const chosen = months.find((it) => it.month === month) ?? months.at(-1)!
  const text = formatFigure(figure, chosen) || 'None yet'
  const name = `${figure.title} of ${formatMonth(months[0]!.month)} to ${formatMonth(months.at(-1)!.month)}`
  return (
    <figure className="month-chart">
      <figcaption>{figure.title}</figcaption>
      <strong>{text}</strong>
      <MonthBars
        label={`${name}; ${formatMonth(chosen.month)}: ${text}`}
        {...{ months, height }}
        values={months.map(figure.value)}
        titles={months.map((it) => titleOf(figure, it))}
        classOf={(it) => (it === month ? 'month-bar-chosen' : 'month-bar')}
      />
    </figure>
  )
}

const TrendTable = ({ months }: { months: readonly TrendMonth[] }) => (
  <TableFrame label="Figures of the months before" className="month-scroll">
    <TableHeads
      heads={[{ text: 'Month' }, ...trendFigures.map(({ title }) => ({ text: title, isFigure: true }))]}
    />
    <tbody>
      {[...months].reverse().map((it) => (
        <tr key={it.month}>
          <th scope="row" className="table-first">
            <Link to={`/month/${it.month}`}>{formatMonth(it.month)}</Link>
          </th>
          {trendFigures.map((figure) => (
            <td key={figure.title} className="table-figures">
              {formatFigure(figure, it)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </TableFrame>
)
