import { Button, Callout } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useEffect, useId, useRef, useState } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { decisionMachine } from '../../../../machines/decision.machine.ts'
import type { StoredRecord } from '../../../../machines/modal.machine.ts'
import { decisionText } from '../../../../schemas/constants.ts'
import { decisionOf, type Entity, type Notice, type NoticeText } from '../../../../schemas/entities/entity.ts'
import type { Viewer } from '../../../../schemas/permissions.ts'
import { AskText } from '../../../forms/dialogs/AskText.tsx'
import { Confirm } from '../../../parts/Confirm.tsx'
import { formatLocalDateTime } from '../../../parts/format.ts'
import { useActorEnvironment } from '../../../parts/hooks/actorEnvironment.ts'

export type DecisionMachine = typeof decisionMachine

/** The actor of the decisions of one dialog; `reloadRecord` reads its record again. */
export const useDecision = (machine: DecisionMachine, reloadRecord: () => void) => {
  const latest = useRef(reloadRecord)
  useEffect(() => {
    latest.current = reloadRecord
  })
  const [withActions] = useState(() => machine.provide({ actions: { reloadRecord: () => latest.current() } }))
  const [snapshot, send] = useActor(withActions, useActorEnvironment())
  return { snapshot, send }
}

type NoticesProps = {
  entity: Entity
  viewer: Viewer
  row: StoredRecord
  /** The form has changes, or is being sent. */
  blocked: boolean
  send: ActorRefFrom<DecisionMachine>['send']
}

/** What a form says of a record, and what may be decided about it or why this viewer may not. */
export const ReviewNotices = ({ entity, viewer, row, ...rest }: NoticesProps) =>
  entity.review?.notices.map((notice) => {
    const text = notice.describe(row, viewer)
    return text && <ReviewNotice key={notice.title} {...{ notice, text, viewer, row }} {...rest} />
  })

type NoticeProps = Omit<NoticesProps, 'entity'> & { notice: Notice; text: NoticeText }

const ReviewNotice = ({ notice, text, viewer, row, blocked, send }: NoticeProps) => {
  const reasonId = useId()
  const { title, verb, intent } = notice
  const decisions = Object.entries(notice.decisions).map(([name, decision]) => ({
    name,
    decision,
    verdict: decision.may(viewer, row),
  }))
  const open = decisions.filter(({ verdict }) => verdict === true)
  const refusals = [...new Set(decisions.flatMap(({ verdict }) => (verdict === true ? [] : [verdict])))]
  return (
    <Callout compact intent={intent} className="record-review" role="note" aria-label={title}>
      <p>
        <strong>{title}</strong>:{' '}
        {text.at !== undefined && `${verb} by ${text.by} on ${formatLocalDateTime(text.at)}. `}
        {text.what}
      </p>
      {refusals.map((reason) => (
        <p key={reason}>{reason}.</p>
      ))}
      {open.length > 0 && (
        <div className="record-review-actions">
          {open.map(({ name, decision }) => (
            <Button
              key={name}
              size="small"
              text={decision.text}
              intent={decision.intent}
              variant="outlined"
              disabled={blocked}
              aria-describedby={blocked ? reasonId : undefined}
              onClick={() => send({ type: 'ask', subject: { name, id: row.id, version: row.version } })}
            />
          ))}
          {blocked && <span id={reasonId}>Save or discard your changes first</span>}
        </div>
      )}
    </Callout>
  )
}

type QuestionProps = {
  entity: Entity
  snapshot: SnapshotFrom<DecisionMachine>
  send: ActorRefFrom<DecisionMachine>['send']
}

/** What a decision asks before it is made, and that the record changed meanwhile. */
export const ReviewQuestion = ({ entity, snapshot, send }: QuestionProps) => {
  const { subject, faults } = snapshot.context
  const decision = subject && decisionOf(entity, subject.name)
  if (snapshot.matches('stale'))
    return (
      <Confirm choices={[{ text: 'Reload', onClick: () => send({ type: 'reload' }) }]}>
        Somebody else changed this record meanwhile
      </Confirm>
    )
  if (!decision) return null
  const { title, text, intent, asks } = decision
  const busy = snapshot.matches('deciding')
  const cancel = () => send({ type: 'cancel' })
  return asks ? (
    <AskText
      {...{ title, text, intent, busy }}
      draftId={[subject.name, entity.name, subject.id, subject.version]}
      label={asks.title}
      minLength={asks.minLength}
      maxLength={decisionText.max}
      fault={faults[asks.field]}
      onText={(typed) => send({ type: 'decide', text: typed })}
      onCancel={cancel}
    />
  ) : (
    <Confirm
      choices={[
        { text, intent, loading: busy, onClick: () => send({ type: 'decide', text: '' }) },
        { text: 'Cancel', onClick: cancel },
      ]}
    >
      {title}?
    </Confirm>
  )
}
