import type { WidgetProps } from '@rjsf/utils'
import { useMemo } from 'react'
import {
  holdBody,
  releaseBody,
  returnBody,
  type Payout,
  type PayoutEntry,
  type PayoutRelease,
} from '../../../schemas/api/months/months.ts'
import { reasonText } from '../../../schemas/constants.ts'
import { sumDollars } from '../../../schemas/dollars.ts'
import { countNoun } from '../../../schemas/wording.ts'
import { AskForm } from '../../forms/dialogs/AskForm.tsx'
import { AskText } from '../../forms/dialogs/AskText.tsx'
import { BaseInput } from '../../forms/templates/BaseInput.tsx'
import { Day } from '../../forms/widgets/Day.tsx'
import { Confirm } from '../../parts/Confirm.tsx'
import { formatCount, formatDollars, formatMonth } from '../../parts/format.ts'
import { formatDay } from './ledgerRow.ts'
import type { MonthActor } from './payouts.ts'

type DialogProps = MonthActor & { payout: Payout }

/** The question before a step is done with the payouts of a month. */
export const StepDialog = ({ snapshot, send }: MonthActor) => {
  const { question, view } = snapshot.context
  if (!question) return null
  if (question.step === 'takeover' || question.step === 'countCopy')
    return <TakeoverDialog {...{ snapshot, send }} />
  if (question.step === 'return') return <ReturnDialog {...{ snapshot, send }} />
  if (!view.payout) return null
  const props = { snapshot, send, payout: view.payout }
  switch (question.step) {
    case 'approve':
      return <ApproveDialog {...props} />
    case 'release':
      return <ReleaseDialog {...props} />
    case 'hold':
      return <HoldDialog {...props} />
    case 'unhold':
    case 'reopen':
      return <ReasonDialog {...props} />
  }
}

/** What every dialog that asks for values shares. */
const dialogOf = ({ snapshot, send }: MonthActor) => ({
  draftId: [
    snapshot.context.question!.step,
    snapshot.context.view.month!.month,
    subjectOf(snapshot.context.question!),
  ],
  busy: snapshot.matches('working'),
  onCancel: () => send({ type: 'cancel' }),
})
/** A part of the key of a draft, which is offered again for the same payee, payment or release alone. */
const subjectOf = ({ entry, payment, release }: NonNullable<MonthActor['snapshot']['context']['question']>) =>
  release ? `release ${release.id}` : (entry?.masteragentid ?? payment?.id ?? 0)
const confirmWith =
  ({ send }: MonthActor) =>
  (values: Readonly<Record<string, unknown>>) =>
    send({ type: 'confirm', values })

const ApproveDialog = (props: DialogProps) => {
  const { snapshot, send, payout } = props
  const paid = payout.entries.filter(({ payable }) => payable > 0).length
  return (
    <Confirm
      choices={[
        {
          text: 'Approve',
          intent: 'primary',
          loading: snapshot.matches('working'),
          onClick: () => send({ type: 'confirm', values: {} }),
        },
        { text: 'Cancel', onClick: () => send({ type: 'cancel' }) },
      ]}
    >
      Approve the payouts of {formatMonth(payout.month)}? {formatDollars(payout.total)} are paid to{' '}
      {formatCount(paid)} {paid === 1 ? 'payee' : 'payees'} once they are released. The approval is void as
      soon as anything of it changes.
    </Confirm>
  )
}

/** Asks before today's records count in a reopened month, or its copies again. */
const TakeoverDialog = ({ snapshot, send }: MonthActor) => {
  const { question, view } = snapshot.context
  const { count, what } = question!.chosen!
  const isTaking = question!.step === 'takeover'
  const text = isTaking ? 'Take Over' : 'Count the Copy'
  return (
    <Confirm
      choices={[
        {
          text,
          intent: 'primary',
          loading: snapshot.matches('working'),
          onClick: () => send({ type: 'confirm', values: {} }),
        },
        { text: 'Cancel', onClick: () => send({ type: 'cancel' }) },
      ]}
    >
      {isTaking ? 'Take over' : 'Count the copy again of'}: {what}
      {count > 1 && ` (${formatCount(count)})`}? The next version of {formatMonth(view.month?.month)} is
      worked out from what {isTaking ? 'the records say now.' : `version ${view.month?.version} copied.`}
    </Confirm>
  )
}

const ways = [
  { const: 'file', title: 'As a bank file' },
  { const: 'other', title: 'In another way' },
]

const ReleaseDialog = (props: DialogProps) => {
  const { payout, snapshot } = props
  const { how, date } = releaseBody.properties
  const schema = useMemo(
    () => ({
      $id: 'ask.release',
      type: 'object',
      required: ['how'],
      properties: {
        how: { ...how, enum: undefined, oneOf: payout.canfile ? ways : ways.slice(1) },
        date: { ...date, title: 'Effective' },
      },
    }),
    [how, date, payout.canfile],
  )
  return (
    <AskForm
      {...dialogOf(props)}
      title={`Release the payouts of ${formatMonth(payout.month)}`}
      text="Release"
      intent="primary"
      schema={schema}
      uiSchema={releaseUiSchema}
      faults={snapshot.context.faults}
      initialValues={payout.canfile ? asFile : otherwise}
      onValues={({ how: way, date: day }) =>
        confirmWith(props)({ how: way, ...(typeof day === 'string' && { date: day }) })
      }
    >
      <p>
        {formatDollars(payout.total)} go out. This is written into the ledger and cannot be taken back; a
        payment that the bank returns is booked as a return. Without a day it takes effect on the next bank
        day, {weekday.format(new Date(payout.nextbankday))} {formatDay(payout.nextbankday)}.
      </p>
    </AskForm>
  )
}
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })
const asFile = { how: 'file' }
const otherwise = { how: 'other' }
const releaseUiSchema = {
  'ui:options': { groups: [{ fields: ['how', 'date'] }], label: false },
  date: { 'ui:widget': Day },
}

const HoldDialog = (props: DialogProps) => {
  const { snapshot } = props
  const { entry } = snapshot.context.question!
  const schema = useMemo(() => holdSchema(entry!), [entry])
  return (
    <AskForm
      {...dialogOf(props)}
      title={`Hold ${entry?.displayid} - ${entry?.name}`}
      text="Hold"
      intent="warning"
      schema={schema}
      uiSchema={holdUiSchema}
      faults={snapshot.context.faults}
      initialValues={noValues}
      onValues={({ reason, statement }) =>
        confirmWith(props)({
          masteragentid: entry?.masteragentid,
          reason,
          ...(statement === true && { statement }),
        })
      }
    >
      <p>
        Nothing is paid until the hold is ended; what is due is carried. The hold of a statement alone ends
        when the next month is locked, whose run pays what was carried.
      </p>
    </AskForm>
  )
}
const noValues = {}
/** The payee's own statement is held alone where it is among those that this entry pays. */
const holdSchema = ({ masteragentid, displayid, statements }: PayoutEntry) => {
  const { reason, statement } = holdBody.properties
  const title = statements.length > 1 ? `Only the statement of ${displayid}` : statement.title
  return {
    $id: 'ask.hold',
    type: 'object',
    required: ['reason'],
    properties: { reason, ...(statements.includes(masteragentid) && { statement: { ...statement, title } }) },
  }
}
const holdUiSchema = {
  'ui:options': { groups: [{ fields: ['reason'] }, { fields: ['statement'] }], label: false },
  reason: { 'ui:widget': 'textarea', 'ui:rows': 3 },
}

const ReturnDialog = (props: MonthActor) => {
  const { question, faults, view } = props.snapshot.context
  const { payment, release } = question!
  const isChosen = payment !== undefined || release !== undefined
  return (
    <AskForm
      {...dialogOf(props)}
      title={`Book a return of ${formatMonth(view.month?.month)}`}
      text="Book Return"
      intent="warning"
      schema={isChosen ? chosenReturnSchema : returnSchema}
      uiSchema={isChosen ? chosenReturnUiSchema : returnUiSchema}
      faults={faults}
      initialValues={noValues}
      onValues={confirmWith(props)}
    >
      {payment && (
        <p>
          {payment.payee} was paid {formatDollars(payment.amount)}
          {payment.trace !== '' && `, trace number ${payment.trace}`}.
        </p>
      )}
      {release && <p>{releaseReturnText(release)}</p>}
      <p>
        {release ? 'Each' : 'The'} payment is due again, and its account is held until another one is
        confirmed, but not with R17. Codes: R02, R03, R04, R14, R15, R16, R17, R20, R23, or a reason in words.
      </p>
    </AskForm>
  )
}

/** Which payments of a release are booked as returned: those that did not come back yet. */
const releaseReturnText = ({ payments, returned, total, returnedtotal }: PayoutRelease) => {
  const left = payments - returned
  const sum = formatDollars(sumDollars([total, -returnedtotal]))
  const verb = left === 1 ? 'is' : 'are'
  return `${countNoun(left, 'payment')} of this release, ${sum} in all, ${verb} booked as returned.`
}

const { code, date, trace, amount } = returnBody.properties
const returnSchema = {
  ...returnBody,
  $id: 'ask.return',
  required: ['trace', 'code', 'date'],
  properties: { trace, code, date, amount },
}
/** A number that is pasted from a bank's letter often has blanks around it. */
const Trace = (props: WidgetProps) => (
  <BaseInput {...props} onChange={(text: string | undefined) => props.onChange(text?.trim())} />
)
const returnUiSchema = {
  'ui:options': { groups: [{ fields: ['trace', 'code'] }, { fields: ['date', 'amount'] }], label: false },
  trace: { 'ui:widget': Trace },
  date: { 'ui:widget': Day },
  amount: { 'ui:widget': 'dollars' },
}
/** Of a payment or a release that was chosen. */
const chosenReturnSchema = {
  ...returnBody,
  $id: 'ask.chosenReturn',
  properties: { code, date },
}
const chosenReturnUiSchema = {
  'ui:options': { groups: [{ fields: ['code', 'date'] }], label: false },
  date: { 'ui:widget': Day },
}

const ReasonDialog = (props: DialogProps) => {
  const { snapshot, payout } = props
  const { step, entry } = snapshot.context.question!
  const isReopening = step === 'reopen'
  return (
    <AskText
      {...dialogOf(props)}
      title={
        isReopening
          ? `Open ${formatMonth(payout.month)} again`
          : `End the hold of ${entry?.displayid} - ${entry?.name}`
      }
      text={isReopening ? 'Open Again' : 'End Hold'}
      intent={isReopening ? 'danger' : 'primary'}
      label="Reason"
      minLength={reasonText.min}
      maxLength={reasonText.max}
      fault={snapshot.context.faults.reason}
      onText={(reason) =>
        confirmWith(props)(isReopening ? { reason } : { masteragentid: entry?.masteragentid, reason })
      }
    >
      {isReopening && <p>{reopenText(payout)}</p>}
    </AskText>
  )
}

/** What opening the month again means. */
const reopenText = ({ releases, version }: Payout) => {
  const back = sumDollars(releases.map(({ returnedtotal }) => returnedtotal))
  const total = sumDollars([...releases.map(({ total: paid }) => paid), -back])
  const paid =
    total > 0
      ? `${formatDollars(total)} were released and stay paid: the next version pays only what is missing.`
      : `Nothing of it was released${back > 0 ? ' that did not come back' : ' yet'}.`
  return `${paid} Agents have seen their statements of version ${version}, which is kept.`
}
