import { Button, Callout, ProgressBar } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { type FormEvent, useEffect, useEffectEvent, useId, useRef, useState, type RefObject } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { ticketMachine } from '../../../machines/ticket.machine.ts'
import type { HelpdeskForm } from '../../../schemas/api/tickets.ts'
import {
  ticketFaults,
  type TicketField,
  ticketFieldNames,
  type TicketValues,
} from '../../../schemas/entities/ticket.ts'
import { createButtonId } from '../../parts/anywhere.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import type { FormChanges } from '../../parts/unsaved/discard.ts'
import { DraftForm } from '../../parts/unsaved/Unsaved.tsx'
import { TicketAttachments } from './TicketAttachments.tsx'
import { TicketFieldInput, type TicketValue } from './TicketFieldInput.tsx'

type Snapshot = SnapshotFrom<typeof ticketMachine>
type Send = ActorRefFrom<typeof ticketMachine>['send']
type TicketFormProps = {
  machine: typeof ticketMachine
  helpdeskForm: HelpdeskForm
  username: string
  /** The values of the form when it is drawn first; not its later ones. */
  begunWith: TicketValues
  /** How often the address asked for a new ticket: each time the first field takes the focus. */
  openings?: number
  /** Called once the ticket was sent. */
  onSent?: () => void
  /** What the screen asks about before it is left (lists 12). */
  changes: RefObject<FormChanges>
}

/** The form of a ticket, sent to the portal or posted by the browser to another help desk (tickets 6). */
export const TicketForm = (props: TicketFormProps) => {
  const { machine, helpdeskForm, username, begunWith, openings = 0, onSent, changes } = props
  const [snapshot, send] = useActor(machine, useActorEnvironment())
  const id = useId()
  const fields = useTicketFields(begunWith, snapshot.context.faults)
  const submit = (event: FormEvent) => {
    const firstFault = fields.validate()
    if (firstFault !== undefined || helpdeskForm.url === null) event.preventDefault()
    if (firstFault !== undefined) return document.getElementById(`${id}-${firstFault}`)?.focus()
    // The browser posts the form after this handler; only then may the machine empty it.
    if (helpdeskForm.url !== null) setTimeout(() => send({ type: 'post' }))
    else send({ type: 'send', values: fields.values })
  }
  const isSent = snapshot.matches('sent')
  useSent(isSent, onSent)
  const begin = () => {
    if (isSent) {
      fields.startAgain()
      send({ type: 'again' })
    }
    focusNext(`${id}-${ticketFieldNames[0]}`)
  }
  useOpenings(openings, begin)
  const hasFiles = snapshot.context.files.length > 0
  return (
    <>
      <DraftForm
        changes={changes}
        username={username}
        form={['ticket']}
        typed={isSent ? null : (fields.typed ?? (hasFiles ? {} : null))}
        onRestore={isSent ? null : fields.restore}
        isSent={isSent}
      />
      {isSent ? (
        <SentNotice filed={snapshot.context.filed} email={fields.values.email} onAgain={begin} />
      ) : (
        <form
          id={createButtonId}
          className="ticket-card ticket-form"
          aria-labelledby={`${id}-title`}
          noValidate
          onSubmit={submit}
          {...postAttributes(helpdeskForm)}
        >
          <h2 id={`${id}-title`}>Support Ticket</h2>
          <HiddenFields helpdeskForm={helpdeskForm} />
          <TicketFields {...{ snapshot, send, helpdeskForm, fields, id }} />
          <FormActions {...{ snapshot, send }} />
        </form>
      )}
    </>
  )
}

type TicketFieldsProps = {
  snapshot: Snapshot
  send: Send
  helpdeskForm: HelpdeskForm
  fields: ReturnType<typeof useTicketFields>
  id: string
}

const TicketFields = ({ snapshot, send, helpdeskForm, fields, id }: TicketFieldsProps) => (
  <>
    <div className="ticket-fields">
      {ticketFieldNames.map((name) => (
        <TicketFieldInput
          key={name}
          id={`${id}-${name}`}
          field={name}
          name={postedFieldName(helpdeskForm, name)}
          value={fields.values[name]}
          fault={fields.faultOf(name)}
          disabled={snapshot.matches('sending')}
          onChange={(value) => fields.change(name, value)}
          onLeave={() => fields.leave(name)}
        />
      ))}
    </div>
    <TicketAttachments
      files={snapshot.context.files}
      refused={snapshot.context.refused}
      fault={snapshot.context.faults['attachments']}
      disabled={snapshot.matches('sending')}
      onAttach={(chosen) => send({ type: 'attach', files: chosen })}
      onDetach={(index) => send({ type: 'detach', index })}
    />
  </>
)

/** Calls `onSent` each time that the form turns to sent. */
const useSent = (isSent: boolean, onSent?: () => void) => {
  const latest = useEffectEvent(() => onSent?.())
  useEffect(() => {
    if (isSent) latest()
  }, [isSent])
}

/** Calls `begin` each time that the number has grown. */
const useOpenings = (times: number, begin: () => void) => {
  const latest = useEffectEvent(begin)
  useEffect(() => {
    if (times > 0) latest()
  }, [times])
}

/** Gives the focus to this field at the next frame, when the form has taken the place of the notice. */
const focusNext = (field: string) => requestAnimationFrame(() => document.getElementById(field)?.focus())

/** The values of the form and which faults of them are shown (tickets 2). */
const useTicketFields = (begunWith: TicketValues, serverFaults: Readonly<Record<string, string>>) => {
  /** What the form began with: what it was given, and after a ticket was sent who asks. */
  const [begun, setBegun] = useState(begunWith)
  const [values, setValues] = useState(begun)
  const [touched, setTouched] = useState<ReadonlySet<TicketField>>(new Set())
  /** Fields that were changed since the server's answer: its faults no longer apply to them. */
  const [changed, setChanged] = useState<ReadonlySet<TicketField>>(new Set())
  const faults = ticketFaults(values)
  const typed = ticketFieldNames.filter((name) => values[name] !== begun[name])
  return {
    values,
    /** The fields that differ from what the form began with; null for none. */
    typed: typed.length > 0 ? Object.fromEntries(typed.map((name) => [name, values[name]])) : null,
    restore: (draft: Partial<TicketValues>) => setValues({ ...values, ...draft }),
    faultOf: (name: TicketField) =>
      (touched.has(name) ? faults[name] : undefined) ?? (changed.has(name) ? undefined : serverFaults[name]),
    change: (name: TicketField, value: TicketValue) => {
      setValues({ ...values, [name]: value })
      setChanged(new Set([...changed, name]))
    },
    leave: (name: TicketField) => setTouched(new Set([...touched, name])),
    /** Shows all faults and returns the first field that has one. */
    validate: () => {
      setTouched(new Set(ticketFieldNames))
      setChanged(new Set())
      return ticketFieldNames.find((name) => faults[name] !== undefined)
    },
    /** Keeps who asks, and empties what is asked. */
    startAgain: () => {
      const next = { ...values, tickettypeid: null, subject: '', description: '' }
      setBegun(next)
      setValues(next)
      setTouched(new Set())
    },
  }
}

/** The names of the fields for a help desk elsewhere, where the settings give no other (tickets 6). */
const defaultFieldNames: Record<TicketField, string> = {
  agentoffice: 'Agent Office',
  agentname: 'Agent Name',
  email: 'Email',
  tickettypeid: 'Ticket Type',
  subject: 'Subject',
  description: 'Description',
}
const postedFieldName = ({ fields }: HelpdeskForm, name: TicketField) =>
  Object.keys(fields).find((field) => fields[field] === `{${name}}`) ?? defaultFieldNames[name]
const isPlaceholder = (value: string) => ticketFieldNames.some((name) => value === `{${name}}`)

const postAttributes = ({ url }: HelpdeskForm) =>
  url !== null && {
    action: url,
    method: 'post',
    encType: 'multipart/form-data',
    target: '_blank',
    rel: 'noopener',
  }

const HiddenFields = ({ helpdeskForm: { url, fields } }: { helpdeskForm: HelpdeskForm }) =>
  Object.entries(url === null ? {} : fields).map(
    ([name, value]) => !isPlaceholder(value) && <input key={name} type="hidden" name={name} value={value} />,
  )

/** Submit; while the ticket is sent, the progress and Cancel (tickets 5). */
const FormActions = ({ snapshot, send }: { snapshot: Snapshot; send: Send }) => {
  const { percent } = snapshot.context
  return (
    <>
      {snapshot.matches('failed') && (
        <Callout compact intent="danger" role="alert">
          The ticket was not sent. Nothing was lost: you can send it again.
        </Callout>
      )}
      {snapshot.matches('sending') ? (
        <div className="ticket-actions">
          <span>{percent < 100 ? `Sending, ${percent} %` : 'Filing the ticket'}</span>
          <ProgressBar
            aria-label="Sent"
            value={percent / 100}
            animate={percent >= 100}
            stripes={percent >= 100}
            intent="primary"
          />
          <Button text="Cancel" onClick={() => send({ type: 'cancel' })} />
        </div>
      ) : (
        <div className="ticket-actions">
          <Button type="submit" intent="primary" text="Submit" />
        </div>
      )}
    </>
  )
}

type SentNoticeProps = {
  filed: Snapshot['context']['filed']
  /** The address that was sent with the ticket. */
  email: TicketValue
  onAgain: () => void
}

/** Replaces the form once the ticket was sent, and takes the focus that the form had. */
const SentNotice = ({ filed, email, onAgain }: SentNoticeProps) => {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <div ref={notice} tabIndex={-1} className="ticket-card ticket-sent">
      <Callout compact intent="success" role="status">
        <strong>
          {filed ? `Ticket ${filed.id} was sent` : 'The ticket was handed to the help desk in a new tab'}
        </strong>
        {filed && <p>The answer comes by email to {email}. The list below tells its status.</p>}
      </Callout>
      <Button id={createButtonId} text="New ticket" onClick={onAgain} />
    </div>
  )
}
