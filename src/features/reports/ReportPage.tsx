import { Callout, FormGroup, HTMLSelect, Spinner } from '@blueprintjs/core'
import { TimelineBarChartIcon } from '@blueprintjs/icons'
import { lazy, Suspense, useId } from 'react'
import type { Lock } from '../../../schemas/api/reports.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { chosenMonth } from '../../forms/reportInputs.ts'
import { Confirm } from '../../parts/Confirm.tsx'
import { EmptyState, LoadFailure } from '../../parts/EmptyState.tsx'
import '../../parts/parts.css'
import './report.css'
import { useReport, type ReportMachine, type ReportActor } from './report.ts'
import { ReportActions } from './ReportActions.tsx'
import { ReportResult } from './ReportResult.tsx'

const ReportInputs = lazy(async () => ({ default: (await import('./ReportInputs.tsx')).ReportInputs }))
const LockFindings = lazy(async () => ({
  default: (await import('../findings/LockFindings.tsx')).LockFindings,
}))
const ReportUnlock = lazy(async () => ({ default: (await import('./ReportUnlock.tsx')).ReportUnlock }))

type Props = { machine: ReportMachine; viewer: Viewer }

/** The report runner (reports 1): a report, its inputs and actions, and its result. */
export const ReportPage = ({ machine, viewer }: Props) => {
  const [snapshot, send] = useReport(machine, viewer)
  const { types, report, result, asked, stale } = snapshot.context
  const isWaiting = snapshot.matches('idle') || (snapshot.matches('loading') && types.length === 0)
  return (
    <section className="report-page">
      <header className="page-head">
        <h1>Reporting</h1>
      </header>
      {snapshot.matches('failed') && (
        <LoadFailure what="The reports" onReload={() => send({ type: 'load' })} />
      )}
      {isWaiting && <Spinner className="report-loading" aria-label="Loading the reports" />}
      {types.length > 0 && <ReportRunner {...{ snapshot, send }} />}
      {snapshot.matches('ready') && types.length === 0 && (
        <EmptyState title="There are no reports for you" icon={<TimelineBarChartIcon size={32} />}>
          An administrator can grant them to you.
        </EmptyState>
      )}
      {report && result && (
        <ReportResult
          key={report.id}
          {...{ report, result, asked, stale }}
          busy={snapshot.matches('generating')}
        />
      )}
    </section>
  )
}

/** The chosen report, its inputs and actions, and the questions before a month is locked or unlocked. */
const ReportRunner = ({ snapshot, send }: ReportActor) => {
  const { report, values, faults, lock } = snapshot.context
  const formId = useId()
  const month = chosenMonth(snapshot.context)?.displayname ?? ''
  return (
    <div className="report-runner">
      <ReportSelect {...{ snapshot, send }} />
      {report && (
        <Suspense fallback={<Spinner size={20} aria-label="Loading the inputs" />}>
          <ReportInputs
            key={report.id}
            {...{ report, values, faults, formId }}
            busy={!snapshot.matches('ready')}
            onChange={(newValues, valid) => send({ type: 'change', values: newValues, valid })}
            onSubmit={() => send({ type: 'generate' })}
          />
          <ReportActions {...{ snapshot, send, formId }} />
        </Suspense>
      )}
      <div role="status">{lock && <LockOutcome lock={lock} month={month} />}</div>
      <LockQuestions {...{ snapshot, send, month }} />
    </div>
  )
}

const ReportSelect = ({ snapshot, send }: ReportActor) => {
  const { types, report } = snapshot.context
  const id = useId()
  return (
    <FormGroup label="Report" labelFor={id} className="report-types">
      <HTMLSelect
        id={id}
        fill
        disabled={!snapshot.matches('ready')}
        iconProps={{ title: undefined, 'aria-hidden': true }}
        value={report?.id ?? ''}
        onChange={({ currentTarget }) => {
          const chosen = types.find((type) => type.id === currentTarget.value)
          if (chosen) send({ type: 'choose', report: chosen })
        }}
      >
        {!report && <option value="">Select an Option</option>}
        {[...types]
          .sort((a, b) => a.name.localeCompare(b.name))
          .map((type) => (
            <option key={type.id} value={type.id}>
              {type.name}
            </option>
          ))}
      </HTMLSelect>
    </FormGroup>
  )
}

const LockQuestions = ({ snapshot, send, month }: ReportActor & { month: string }) => {
  const { findings, waivers } = snapshot.context
  const cancel = () => send({ type: 'cancel' })
  return (
    <>
      {snapshot.matches('confirmingLock') && (
        <Confirm
          choices={[
            { text: 'Lock', intent: 'danger', onClick: () => send({ type: 'confirm' }) },
            { text: 'Cancel', onClick: cancel },
          ]}
        >
          Lock {month}? People are paid by it: its figures are frozen, agents see their statements, and
          imports, rates and moves no longer change them. Only an administrator can unlock it.
        </Confirm>
      )}
      {(snapshot.matches('showingFindings') || snapshot.matches('waiving')) && (
        <Suspense>
          <LockFindings
            title="Lock Report"
            {...{ month, findings, waivers }}
            busy={snapshot.matches('waiving')}
            onWaive={(given) => send({ type: 'waive', waivers: given })}
            onCancel={cancel}
          />
        </Suspense>
      )}
      {(snapshot.matches('askingReason') || snapshot.matches('unlocking')) && (
        <Suspense>
          <ReportUnlock
            month={month}
            busy={snapshot.matches('unlocking')}
            onUnlock={(reason) => send({ type: 'reopen', reason })}
            onCancel={cancel}
          />
        </Suspense>
      )}
    </>
  )
}

/** Says that the month was locked or unlocked. */
const LockOutcome = ({ lock, month }: { lock: Lock; month: string }) => (
  <Callout compact intent="success">
    {lock.reopenedat
      ? `${month} is unlocked. Version ${lock.version} is kept.`
      : `${month} is locked: version ${lock.version}, hash ${lock.hash.slice(0, 12)}.`}
  </Callout>
)
