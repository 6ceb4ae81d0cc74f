import type { ComponentType } from 'react'
import { Link, useParams } from 'react-router-dom'
import { month as monthField } from '../../../schemas/fields.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { formatMonth } from '../../parts/format.ts'
import '../../parts/parts.css'
import '../../parts/table/narrowTables.css'
import type { PanelProps, VarianceMachines } from './answer.ts'
import { MissingIncomePanel } from './MissingIncomePanel.tsx'
import './variance.css'
import { VariancePanel } from './VariancePanel.tsx'

type Props = { machines: VarianceMachines; view: View }
type View = 'variance' | 'missing'

const views: Record<View, { title: string; Panel: ComponentType<PanelProps> }> = {
  variance: { title: 'Variance', Panel: VariancePanel },
  missing: { title: 'Missing Income', Panel: MissingIncomePanel },
}
const monthPattern = new RegExp(monthField.pattern)

/** '2026-10' and how many months later or, below 0, earlier. */
const shiftMonth = (month: string, count: number): string => {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`
}

/** One of the panels on a screen of its own, for the month of the address (variance 9). */
export const VariancePage = ({ machines, view }: Props) => {
  const { month = '' } = useParams()
  const { title, Panel } = views[view]
  const other = view === 'variance' ? 'missing' : 'variance'
  const isMonth = monthPattern.test(month)
  return (
    <section className="entity-page variance-page">
      <header className="page-head">
        <h1>{title}</h1>
        {isMonth && (
          <nav className="variance-nav" aria-label="Months">
            <Step to={shiftMonth(month, -1)} view={view} />
            <strong>{formatMonth(month)}</strong>
            <Step to={shiftMonth(month, 1)} view={view} />
            <Link to={`/month/${month}`}>Month</Link>
            <Link to={`/month/${month}/${other}`}>{views[other].title}</Link>
          </nav>
        )}
      </header>
      {isMonth ? (
        <Panel month={month} machines={machines} />
      ) : (
        <EmptyState title={`There is no month ${month}`}>Write it like 2026-10.</EmptyState>
      )}
    </section>
  )
}

const Step = ({ to, view }: { to: string; view: View }) =>
  monthPattern.test(to) ? <Link to={`/month/${to}/${view}`}>{formatMonth(to)}</Link> : null
