import { Button, HTMLTable } from '@blueprintjs/core'
import { ErrorIcon, TimelineBarChartIcon } from '@blueprintjs/icons'
import { useActor } from '@xstate/react'
import { useEffect, useMemo, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { ProfitDay } from '../../../schemas/api/home.ts'
import { importKinds } from '../../../schemas/imports/kinds.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import { loadable } from '../../parts/loadable.tsx'
import './home.css'
import { formatMoney, isWeekend, type Point, pointsOf } from './points.ts'

/** The values of the chart as a table, newest first. */
const DailyVolumeTable = ({ points }: { points: readonly Point[] }) => (
  <div className="home-scroll" role="region" aria-label="Daily volume" tabIndex={0}>
    <HTMLTable compact striped>
      <caption className="home-caption">Daily volume</caption>
      <thead>
        <tr>
          <th scope="col">Report Date</th>
          <th scope="col" className="home-money">
            $ Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {[...points].reverse().map(({ name, value }) => (
          <tr key={name}>
            <td>{name}</td>
            <td className="home-money">{formatMoney(value)}</td>
          </tr>
        ))}
      </tbody>
    </HTMLTable>
  </div>
)

const AgentHome = loadable(async () => (await import('./AgentHome.tsx')).AgentHome)

/** `own` is null for people whose home does not begin with their agent's statement (shell 13). */
type Props = {
  chart: typeof loadMachine
  canImport: boolean
  own: { ownHome: typeof loadMachine; email: string | null } | null
}

/** The greeting and the dollars of the latest days, as a chart and as a table (shell 7). */
export const HomePage = ({ chart, canImport, own }: Props) => {
  const [loaded, send] = useActor(chart, useActorEnvironment())
  useEffect(() => send({ type: 'load' }), [send])
  useEffect(() => {
    // Beside its days.
    void Chart.preload()
  }, [])
  const days = loaded.context.result as ProfitDay[] | null
  const points = useMemo(() => pointsOf(days ?? []), [days])
  const hasFailed = loaded.matches('failed')
  return (
    <section className="home">
      <h1>Welcome to the Technology Portal.</h1>
      {own && <AgentHome {...own} />}
      {hasFailed && <LoadFailure onRetry={() => send({ type: 'load' })} />}
      {!hasFailed && days?.length === 0 && <NoVolume canImport={canImport} isOfBranch={own !== null} />}
      {!hasFailed && days?.length !== 0 && (
        <div className="home-figures" aria-busy={days === null}>
          <div className="home-card home-chart">
            {days ? <Chart points={points} /> : <Skeleton />}
            {points.some(isWeekend) && <p className="home-legend">Lighter bars are Saturdays and Sundays.</p>}
          </div>
          <div className="home-card home-table">
            {days ? <DailyVolumeTable points={points} /> : <Skeleton />}
          </div>
        </div>
      )}
    </section>
  )
}

const Skeleton = () => (
  <div className="home-skeleton bp6-skeleton" role="status" aria-label="Loading the daily volume" />
)

const Chart = loadable(async () => (await import('./Chart.tsx')).Chart, <Skeleton />)

const LoadFailure = ({ onRetry }: { onRetry: () => void }) => (
  <MessageCard icon={<ErrorIcon size={32} />} title="The daily volume could not be loaded">
    <Button text="Retry" onClick={onRetry} />
  </MessageCard>
)

/** Who sees one branch alone learns nothing of the volume of others. */
const NoVolume = ({ canImport, isOfBranch }: { canImport: boolean; isOfBranch: boolean }) => (
  <MessageCard
    icon={<TimelineBarChartIcon size={32} />}
    title={isOfBranch ? 'Your merchants have no daily volume yet' : 'No daily volume has been imported yet'}
  >
    {canImport ? (
      <Link className="bp6-button bp6-intent-primary" to={importKinds.dailyvolume.path}>
        {importKinds.dailyvolume.title}
      </Link>
    ) : (
      <p>The chart appears here once somebody has imported {isOfBranch ? 'some' : 'it'}.</p>
    )}
  </MessageCard>
)

const MessageCard = ({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) => (
  <div className="home-card home-instead">
    {icon}
    <h2>{title}</h2>
    {children}
  </div>
)
