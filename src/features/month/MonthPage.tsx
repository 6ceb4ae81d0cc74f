import { Callout, Spinner } from '@blueprintjs/core'
import { CalendarIcon } from '@blueprintjs/icons'
import { useEffect, type ReactNode } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import type { loadMachine } from '../../../machines/load.machine.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import { importRule } from '../../../schemas/imports/kinds.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { readsVariance, seesOpenMonths, settlesPayouts } from '../../../schemas/screenRules.ts'
import { useShownPath } from '../../parts/anywhere.ts'
import type { DownloadMachine } from '../../parts/downloads.ts'
import { EmptyState, LoadFailure } from '../../parts/EmptyState.tsx'
import { formatMonth } from '../../parts/format.ts'
import '../../parts/parts.css'
import '../../parts/table/narrowTables.css'
import { loadable } from '../../parts/loadable.tsx'
import type { InboxMachines } from '../inbox/inbox.ts'
import { MonthSelect } from '../payouts/MonthPayout.tsx'
import '../payouts/payouts.css'
import {
  isUnderWay,
  keepLastView,
  lastViewOf,
  useMonth,
  type MonthActor,
  type MonthMachine,
} from '../payouts/payouts.ts'
import type { ReturnFile } from '../payouts/ReturnFile.tsx'
import { LatestOutcome } from '../payouts/StepOutcome.tsx'
import './month.css'
import type { VarianceMachines } from '../variance/answer.ts'
import { MonthComparison } from './MonthComparison.tsx'
import { MonthFiles } from './MonthFiles.tsx'
import { MonthFindings } from './MonthFindings.tsx'
import { MonthInbox } from './MonthInbox.tsx'
import { MonthLock } from './MonthLock.tsx'
import { MonthPayments } from './MonthPayments.tsx'
import { orderedSections, stepsOf, type Section } from './monthSteps.ts'
import { MonthSteps } from './MonthSteps.tsx'
import { MonthTrend } from './MonthTrend.tsx'

const MonthDialog = loadable(async () => (await import('./MonthDialog.tsx')).MonthDialog)

type Props = {
  /** For those who settle months; `reading` for those who may not read payouts. */
  settling: MonthMachine
  reading: MonthMachine
  trend: (month: string) => typeof loadMachine
  file: DownloadMachine
  returnFile: ReturnFile
  inbox: InboxMachines
  /** The imports of compensation data that are under way. */
  running: typeof loadMachine
  variance: VarianceMachines
  viewer: Viewer
}

/** A month from its first file to the payments (cockpit 1). */
export const MonthPage = (props: Props) => {
  const { month = null } = useParams()
  return (
    <section className="entity-page payouts-page month-page">
      <header className="page-head">
        <h1>Month</h1>
      </header>
      <Cockpit key={month} {...props} wanted={month} />
    </section>
  )
}

type CockpitProps = Props & { wanted: string | null }

const Cockpit = ({ wanted, ...props }: CockpitProps) => {
  const { settling, reading, viewer } = props
  const machine = settlesPayouts(viewer) ? settling : reading
  const actor = useMonth(machine, viewer, wanted, () => {}, lastViewOf(machine, viewer, wanted))
  const { snapshot, send } = actor
  const { view } = snapshot.context
  useEffect(() => {
    if (view.month) keepLastView(machine, viewer, { wanted, view })
  }, [machine, viewer, wanted, view])
  if (snapshot.matches('failed'))
    return <LoadFailure what="The month" onReload={() => send({ type: 'load' })} />
  const isWaiting = snapshot.matches('idle') || snapshot.matches('loading')
  if (isWaiting && view.months.length === 0)
    return <Spinner className="payout-loading" aria-label="Loading the month" />
  if (view.month === null)
    return (
      <EmptyState title="No month is locked yet" icon={<CalendarIcon size={32} />}>
        Who sees one branch alone sees its months once they are locked.
      </EmptyState>
    )
  return (
    <>
      <ShownMonth {...props} {...actor} wanted={wanted} />
      {(snapshot.matches('asking') || snapshot.matches('working')) && <MonthDialog {...actor} />}
    </>
  )
}

/** The head, the steps, and the parts, of which the one of the next step stands first. */
const ShownMonth = (props: CockpitProps & MonthActor) => {
  const { snapshot, send, wanted, viewer, trend, variance } = props
  const { view } = snapshot.context
  const navigate = useNavigate()
  useAnchor()
  const seesHouse = seesOpenMonths(viewer)
  const steps = stepsOf(view, seesHouse)
  const isBusy = isUnderWay(snapshot)
  const month = view.month!
  useShownPath(`/month/${month.month}`)
  return (
    <div className="month-body" aria-busy={isBusy}>
      <div className="month-head">
        <MonthSelect {...{ snapshot, send }} onMonth={(chosen) => void navigate(`/month/${chosen}`)} />
        {snapshot.matches('loading') && (
          <span className="month-reading">
            <Spinner size={16} aria-label="Reading the month again" />
            Reading the month again
          </span>
        )}
      </div>
      {wanted !== null && wanted !== month.month && (
        <Callout compact intent="warning">
          {formatMonth(wanted) || wanted} holds nothing. This is {formatMonth(month.month)}.
        </Callout>
      )}
      <MonthSteps steps={steps} />
      <LatestOutcome snapshot={snapshot} />
      {orderedSections(steps).map((section) => (
        <Part key={section} section={section} {...props} />
      ))}
      {readsVariance(viewer) && (
        <section className="month-part" id="compared" aria-labelledby="compared-title">
          <h2 id="compared-title">Compared</h2>
          <MonthComparison month={month.month} machines={variance} />
        </section>
      )}
      {seesHouse && (
        <section className="month-part" id="before" aria-labelledby="before-title">
          <h2 id="before-title">Months Before</h2>
          <MonthTrend
            key={`${month.month} ${month.state} ${month.version}`}
            month={month.month}
            machineOf={trend}
          />
        </section>
      )}
    </div>
  )
}

const titles: Record<Section, string> = {
  files: 'Files and Totals',
  findings: 'Findings',
  lock: 'Lock',
  payout: 'Payout',
}

/** One part of the screen; left out where the answer holds nothing of it for this viewer. */
const Part = ({
  section,
  snapshot,
  send,
  viewer,
  file,
  returnFile,
  inbox,
  running,
}: CockpitProps & MonthActor & PartProps) => {
  const { view } = snapshot.context
  const detail = view.detail!
  const seesHouse = seesOpenMonths(viewer)
  const canImport = importRule(imports.compdata)(viewer)
  const contents: Record<Section, ReactNode> = {
    files: (
      <>
        {canImport && detail.state === 'open' && (
          <MonthInbox {...{ snapshot, send, running }} month={detail.month} machines={inbox} />
        )}
        <MonthFiles {...{ snapshot, send, detail, canImport }} username={viewer.username} />
      </>
    ),
    findings: seesHouse && <MonthFindings {...{ snapshot, send, detail }} />,
    lock: <MonthLock {...{ snapshot, send }} />,
    payout: view.released && <MonthPayments {...{ snapshot, send, file, returnFile }} />,
  }
  return (
    contents[section] && (
      <section className="month-part" id={section} aria-labelledby={`${section}-title`}>
        <h2 id={`${section}-title`}>{titles[section]}</h2>
        {contents[section]}
      </section>
    )
  )
}
type PartProps = { section: Section }

/** Brings what the address names into sight once it is drawn: a part, or the findings of a kind. */
const useAnchor = () => {
  const { hash } = useLocation()
  useEffect(() => {
    const target = hash === '' ? null : document.getElementById(hash.slice(1))
    if (target instanceof HTMLDetailsElement) target.open = true
    target?.scrollIntoView()
  }, [hash])
}
