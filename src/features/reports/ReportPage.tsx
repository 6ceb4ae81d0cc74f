import { Callout, FormGroup, HTMLSelect, Spinner } from '@blueprintjs/core'
import { TimelineBarChartIcon } from '@blueprintjs/icons'
import { useEffect, useId } from 'react'
import type { Lock, ReportResult as Result } from '../../../schemas/api/reports.ts'
import { shownHashDigits } from '../../../schemas/constants.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { chosenMonth } from '../../forms/reportInputs.ts'
import { Confirm } from '../../parts/Confirm.tsx'
import { EmptyState, LoadFailure } from '../../parts/EmptyState.tsx'
import { HelpButton } from '../../parts/HelpButton.tsx'
import { loadable } from '../../parts/loadable.tsx'
import '../../parts/parts.css'
import { useReportAddress } from './address.ts'
import './report.css'
import { useReport, type ReportMachine, type ReportActor } from './report.ts'
import { ReportActions } from './ReportActions.tsx'
import { ReportList } from './ReportList.tsx'

const ReportInputs = loadable(
  async () => (await import('./ReportInputs.tsx')).ReportInputs,
  <Spinner size={20} aria-label="Loading the inputs" />,
)
const ReportResult = loadable(
  async () => (await import('./ReportResult.tsx')).ReportResult,
  <Spinner size={20} aria-label="Loading the result" />,
)
const LockFindings = loadable(async () => (await import('../findings/LockFindings.tsx')).LockFindings)
const ReportUnlock = loadable(async () => (await import('./ReportUnlock.tsx')).ReportUnlock)

type Props = { machine: ReportMachine; viewer: Viewer }

/** The report runner (reports 1): a report, its inputs and actions, and its result. */
export const ReportPage = ({ machine, viewer }: Props) => {
  const [snapshot, sendToMachine] = useReport(machine, viewer)
  const { send, faults, formKey, ...address } = useReportAddress({ snapshot, send: sendToMachine })
  const { types, report, result, resultValues, stale } = snapshot.context
  const sorting = sortingOf(result, address.sort)
  const isChosen = report !== null
  useEffect(() => {
    // It is needed as soon as the report is answered.
    if (isChosen) void ReportResult.preload()
  }, [isChosen])
  const isWaiting = snapshot.matches('idle') || (snapshot.matches('loading') && types.length === 0)
  return (
    <section className="report-page">
      <header className="page-head">
        <h1>Reporting</h1>
        <HelpButton about={report?.name ?? ''} />
      </header>
      {snapshot.matches('failed') && (
        <LoadFailure what="The reports" onReload={() => send({ type: 'load' })} />
      )}
      {isWaiting && <Spinner className="report-loading" aria-label="Loading the reports" />}
      {types.length > 0 && (
        <ReportRunner
          {...{ snapshot, send, formKey }}
          sort={sorting.sort}
          faults={[...faults, ...sorting.faults]}
        />
      )}
      {types.length > 0 && !report && <ReportList types={types} />}
      {snapshot.matches('ready') && types.length === 0 && (
        <EmptyState title="There are no reports for you" icon={<TimelineBarChartIcon size={32} />}>
          An administrator can grant them to you.
        </EmptyState>
      )}
      {report && result && (
        <ReportResult
          key={report.id}
          {...{ report, result, resultValues, stale }}
          busy={snapshot.matches('generating')}
          sort={sorting.sort}
          onSort={address.onSort}
        />
      )}
    </section>
  )
}

/** The sort of an address as far as the result has it; else the sentence that says so (reports 41). */
const sortingOf = (result: Result | null, sort: string): { sort: string; faults: readonly string[] } => {
  if (sort === '' || !result) return { sort: '', faults: [] }
  const column = result.columns.find(({ name }) => name === sort.replace(/^-/, ''))
  if (column && !column.unsortable) return { sort, faults: [] }
  return { sort: '', faults: [`The rows cannot be sorted by “${sort.slice(0, 60)}”.`] }
}

type RunnerProps = ReportActor & {
  /** Changes when the form begins again with other values. */
  formKey: number
  sort: string
  /** What of the address could not be followed. */
  faults: readonly string[]
}

/** The chosen report, its inputs and actions, and the questions before a month is locked or unlocked. */
const ReportRunner = ({ snapshot, send, formKey, sort, faults }: RunnerProps) => {
  const { report, values, faults: inputFaults, lock } = snapshot.context
  const formId = useId()
  const month = chosenMonth(snapshot.context)?.displayname ?? ''
  return (
    <div className="report-runner">
      <ReportSelect {...{ snapshot, send }} />
      {report && (
        <ReportInputs
          key={`${report.id} ${formKey}`}
          {...{ report, values, formId }}
          faults={inputFaults}
          busy={!snapshot.matches('ready')}
          onChange={(newValues, valid) => send({ type: 'change', values: newValues, valid })}
          onSubmit={() => send({ type: 'generate' })}
        >
          <ReportActions {...{ snapshot, send, formId, sort }} />
        </ReportInputs>
      )}
      <div role="status">
        {faults.length > 0 && (
          <Callout compact intent="warning">
            {faults.map((fault) => (
              <p key={fault}>{fault}</p>
            ))}
          </Callout>
        )}
      </div>
      <div role="status">{lock && <LockOutcome lock={lock} month={month} />}</div>
      <LockQuestions {...{ snapshot, send, month }} />
    </div>
  )
}

const ReportSelect = ({ snapshot, send }: ReportActor) => {
  const { types, report } = snapshot.context
  const id = useId()
  return (
    <FormGroup label="Report" labelFor={id} helperText={report?.description} className="report-types">
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
        <LockFindings
          title="Lock Report"
          {...{ month, findings, waivers }}
          busy={snapshot.matches('waiving')}
          onWaive={(given) => send({ type: 'waive', waivers: given })}
          onCancel={cancel}
        />
      )}
      {(snapshot.matches('askingReason') || snapshot.matches('unlocking')) && (
        <ReportUnlock
          month={month}
          busy={snapshot.matches('unlocking')}
          onUnlock={(reason) => send({ type: 'reopen', reason })}
          onCancel={cancel}
        />
      )}
    </>
  )
}

/** Says that the month was locked or unlocked. */
const LockOutcome = ({ lock, month }: { lock: Lock; month: string }) => (
  <Callout compact intent="success">
    {lock.reopenedat
      ? `${month} is unlocked. Version ${lock.version} is kept.`
      : `${month} is locked: version ${lock.version}, hash ${lock.hash.slice(0, shownHashDigits)}.`}
  </Callout>
)
