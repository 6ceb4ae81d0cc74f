import { Button, NonIdealState } from '@blueprintjs/core'
import { ErrorIcon, TimelineBarChartIcon } from '@blueprintjs/icons'
import { useActor } from '@xstate/react'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { Link } from 'react-router-dom'
import type { loadMachine } from '../../machines/load.machine.ts'
import type { ProfitDay } from '../../schemas/dashboard.ts'
import { imports } from '../../schemas/imports.ts'
import '../styles/home.css'
import { Figures } from './Figures.tsx'
import { pointsOf } from './points.ts'

const Chart = lazy(async () => ({ default: (await import('./Chart.tsx')).Chart }))

type Props = { chart: typeof loadMachine; mayImport: boolean }

/** The greeting and the dollars of the latest days, drawn and as a table. */
export const HomePage = ({ chart, mayImport }: Props) => {
  const [loaded, send] = useActor(chart)
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
  <div className="home-card home-instead">
    <NonIdealState
      icon={<ErrorIcon size={32} />}
      iconMuted
      title="The daily volume could not be loaded"
      action={<Button text="Retry" onClick={onRetry} />}
    />
  </div>
)

const Empty = ({ mayImport }: { mayImport: boolean }) => (
  <div className="home-card home-instead">
    <NonIdealState
      icon={<TimelineBarChartIcon size={32} />}
      iconMuted
      title="No daily volume has been imported yet"
      description={mayImport ? undefined : 'The chart appears here once somebody has imported it.'}
      action={
        mayImport ? (
          <Link className="bp6-button bp6-intent-primary" to={imports.dailyvolume.path}>
            {imports.dailyvolume.title}
          </Link>
        ) : undefined
      }
    />
  </div>
)
