import { Spinner } from '@blueprintjs/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { loadable } from '../../parts/loadable.tsx'
import type { PanelProps } from '../variance/answer.ts'
import '../variance/variance.css'

const VariancePanel = loadable(
  async () => (await import('../variance/VariancePanel.tsx')).VariancePanel,
  <Spinner aria-label="Loading Variance" />,
)
const MissingIncomePanel = loadable(
  async () => (await import('../variance/MissingIncomePanel.tsx')).MissingIncomePanel,
  <Spinner aria-label="Loading Missing Income" />,
)

const panels = [
  { view: 'variance', title: 'Variance', what: 'against last month and a year ago', Panel: VariancePanel },
  {
    view: 'missing',
    title: 'Missing Income',
    what: 'active merchants that no file names',
    Panel: MissingIncomePanel,
  },
] as const

/** Variance and missing income of a month, each worked out once it is opened (cockpit 9). */
export const MonthComparison = (props: PanelProps) => (
  <>
    {panels.map((panel) => (
      <Comparison key={panel.view} {...props} {...panel} />
    ))}
  </>
)

const Comparison = ({ month, machines, view, title, what, Panel }: PanelProps & (typeof panels)[number]) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="month-comparison" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{title}</strong>, {what}
      </summary>
      {isOpen && (
        <>
          <p>
            <Link to={`/month/${month}/${view}`}>{title} on a screen of its own</Link>
          </p>
          <Panel month={month} machines={machines} />
        </>
      )}
    </details>
  )
}
