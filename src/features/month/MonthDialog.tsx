import { minWaiverReason, type Finding } from '../../../schemas/api/months/months.ts'
import { AskText } from '../../forms/dialogs/AskText.tsx'
import { formatCount, formatDollars, formatMonth } from '../../parts/format.ts'
import { LockFindings } from '../findings/LockFindings.tsx'
import type { MonthActor } from '../payouts/payouts.ts'
import { StepDialog } from '../payouts/StepDialog.tsx'
import { isInTheWay } from './monthSteps.ts'

/** The question before a step of the month is done. */
export const MonthDialog = ({ snapshot, send }: MonthActor) => {
  const { question, view } = snapshot.context
  if (question?.step === 'lock') return <LockDialog {...{ snapshot, send }} />
  if (question?.step === 'waive') return <WaiveDialog {...{ snapshot, send }} />
  return question === null || question.step === 'total' || view.month === null ? null : (
    <StepDialog {...{ snapshot, send }} />
  )
}

/** What is in the way, and the reasons that waive it; a stop leaves nothing but itself. */
const LockDialog = ({ snapshot, send }: MonthActor) => {
  const { month, detail } = snapshot.context.view
  const all = detail?.findings ?? []
  const inTheWay = all.filter(isInTheWay)
  const stops = inTheWay.filter(({ severity }) => severity === 'stop')
  const waived = all.filter(({ waiver }) => waiver !== null)
  const name = formatMonth(month?.month)
  return (
    <LockFindings
      title={`Lock ${name}`}
      month={name}
      findings={stops.length > 0 ? stops : inTheWay}
      waivers={null}
      busy={snapshot.matches('working')}
      onWaive={(values) => send({ type: 'confirm', values })}
      onCancel={() => send({ type: 'cancel' })}
    >
      <p>
        Lock {name}? People are paid by it: its figures are frozen, agents see their statements, and imports,
        rates and moves no longer change them. Only an administrator can unlock it.
      </p>
      {waived.length > 0 && (
        <p>
          {formatCount(waived.length)} {waived.length === 1 ? 'finding is' : 'findings are'} waived already,
          {sumOf(waived)}.
        </p>
      )}
    </LockFindings>
  )
}

const sumOf = (findings: readonly Finding[]) => {
  const names = [...new Set(findings.flatMap(({ waiver }) => waiver?.username ?? []))]
  const sum = findings.reduce((cents, { amount }) => cents + Math.round((amount ?? 0) * 100), 0) / 100
  return ` ${formatDollars(sum)} in all, by ${names.join(', ')}`
}

const WaiveDialog = ({ snapshot, send }: MonthActor) => {
  const { question, faults } = snapshot.context
  const waived = question?.waived ?? []
  const [first] = waived
  return (
    <AskText
      title={waived.length === 1 ? 'Waive a finding' : `Waive ${formatCount(waived.length)} findings`}
      text="Waive"
      intent="primary"
      label="Reason"
      minLength={minWaiverReason}
      maxLength={1000}
      fault={faults.reason}
      busy={snapshot.matches('working')}
      onText={(reason) => send({ type: 'confirm', values: { reason } })}
      onCancel={() => send({ type: 'cancel' })}
    >
      <p>
        {first?.what}
        {waived.length === 1 && first?.where ? `: ${first.where}` : ''}. The reason is kept with the lock,
        under your name.
      </p>
    </AskText>
  )
}
