import { minWaiverReason, type KindSum } from '../../../schemas/api/months/months.ts'
import { reasonText } from '../../../schemas/constants.ts'
import { sumDollars } from '../../../schemas/dollars.ts'
import { AskText } from '../../forms/dialogs/AskText.tsx'
import { formatCount, formatDollars, formatMonth } from '../../parts/format.ts'
import { LockFindings, signatureOf } from '../findings/LockFindings.tsx'
import type { MonthActor } from '../payouts/payouts.ts'
import { StepDialog } from '../payouts/StepDialog.tsx'
import { blockingCount, blocksLock } from './monthSteps.ts'

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
  const { findings = [], kinds = [] } = detail ?? {}
  const inTheWay = findings.filter(blocksLock)
  const stops = inTheWay.filter(({ severity }) => severity === 'stop')
  const waived = kinds.reduce((count, it) => count + it.waived, 0)
  const name = formatMonth(month?.month)
  return (
    <LockFindings
      title={`Lock ${name}`}
      month={name}
      findings={stops.length > 0 ? stops : inTheWay}
      kinds={kinds.map((it) => ({ ...it, count: blockingCount(it), sum: sumInTheWay(it) }))}
      waivers={null}
      busy={snapshot.matches('working')}
      onWaive={(values) => send({ type: 'confirm', values })}
      onCancel={() => send({ type: 'cancel' })}
    >
      <p>
        Lock {name}? People are paid by it: its figures are frozen, agents see their statements, and imports,
        rates and moves no longer change them. Only an administrator can unlock it.
      </p>
      {waived > 0 && (
        <p>
          {formatCount(waived)} {waived === 1 ? 'finding is' : 'findings are'} waived already,
          {sumOf(kinds)}.
        </p>
      )}
    </LockFindings>
  )
}

const sumInTheWay = ({ sum, waivedsum }: KindSum) => (sum === null ? null : sumDollars([sum, -waivedsum]))

const sumOf = (kinds: readonly KindSum[]) => {
  const names = [...new Set(kinds.flatMap(({ waivedby }) => waivedby))]
  const sum = sumDollars(kinds.map(({ waivedsum }) => waivedsum))
  return ` ${formatDollars(sum)} in all, by ${names.join(', ')}`
}

const WaiveDialog = ({ snapshot, send }: MonthActor) => {
  const { question, faults, view } = snapshot.context
  const waived = question?.waived ?? []
  const [first] = waived
  const kind = view.detail?.kinds.find((it) => it.kind === first?.kind)
  return (
    <AskText
      title={
        waived.length === 1 || !kind
          ? 'Waive a finding'
          : `Waive ${formatCount(blockingCount(kind))} findings`
      }
      text="Waive"
      intent="primary"
      label="Reason"
      minLength={minWaiverReason}
      maxLength={reasonText.max}
      draftId={['waive', view.month?.month ?? '', signatureOf(waived)]}
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
