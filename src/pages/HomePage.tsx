import { Button } from '@blueprintjs/core'
import { ErrorIcon, TimelineBarChartIcon } from '@blueprintjs/icons'
import { useActor } from '@xstate/react'
import { lazy, Suspense, useEffect, useMemo, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { loadMachine } from '../../machines/load.machine.ts'
import type { ProfitDay } from '../../schemas/dashboard.ts'
import { imports } from '../../schemas/imports.ts'
import { useGiven } from '../actorOptions.ts'
import '../styles/home.css'
import { Figures } from './Figures.tsx'
import { pointsOf } from './points.ts'

const Chart = lazy(async () => ({ default: (await import('./Chart.tsx')).Chart }))

type Props = { chart: typeof loadMachine; mayImport: boolean }

/** The greeting and the dollars of the latest days, drawn and as a table. */
export const HomePage = ({ chart, mayImport }: Props) => {
  const [loaded, send] = useActor(chart, useGiven())
  useEffect(() => send({ type: 'load' }), [send])
  const days = loaded.context.result as ProfitDay[] | null
  const points = useMemo(() => pointsOf(days ?? []), [days])
  const hasFailed = loaded.matches('failed')
  return (
    <section className="home">
      <h1>Welcome to the Technology Portal.</h1>
      {hasFailed && <Failed onRetry={() => send({ type: 'load' })} />}
      {!hasFailed && days?.length === 0 && <Empty mayImport={mayImport} />}
      {!hasFailed && days?.length !== 0 && (
        <div className="home-figures" aria-busy={days === null}>
          <div className="home-card home-chart">
            <Suspense fallback={<Skeleton />}>{days ? <Chart points={points} /> : <Skeleton />}</Suspense>
          </div>
          <div className="home-card home-table">{days ? <Figures points={points} /> : <Skeleton />}</div>
        </div>
      )}
    </section>
  )
}

const Skeleton = () => <div className="home-skeleton bp6-skeleton" role="status" aria-label="Loading the daily volume" />

const Failed = ({ onRetry }: { onRetry: () => void }) => (
  <Instead icon={<ErrorIcon size={32} />} title="The daily volume could not be loaded">
    <Button text="Retry" onClick={onRetry} />
  </Instead>
)

const Empty = ({ mayImport }: { mayImport: boolean }) => (
  <Instead icon={<TimelineBarChartIcon size={32} />} title="No daily volume has been imported yet">
    {mayImport ? (
      <Link className="bp6-button bp6-intent-primary" to={imports.dailyvolume.path}>
        {imports.dailyvolume.title}
      </Link>
    ) : (
      <p>The chart appears here once somebody has imported it.</p>
    )}
  </Instead>
)

const Instead = ({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) => (
  <div className="home-card home-instead">
    {icon}
    <h2>{title}</h2>
    {children}
  </div>
)
