import { Button, Callout, FormGroup, HTMLSelect, InputGroup, ProgressBar, TextArea } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import type { AttachedFile as Chosen, ticketMachine } from '../../../machines/ticket.machine.ts'
import type { HelpdeskForm } from '../../../schemas/api/tickets.ts'
import {
  emptyTicket,
  ticketFaults,
  type TicketField,
  ticketFieldNames,
  ticketFields,
  ticketTypes,
  type TicketValues,
} from '../../../schemas/entities/ticket.ts'
import { useActorEnvironment } from '../../parts/actorEnvironment.ts'
import { formatCount } from '../../parts/format.ts'
import { TicketAttachments } from './TicketAttachments.tsx'

type TicketInputProps = {
  id: string
  field: TicketField
  /** As the one who receives the form calls it. */
  name: string
  value: string | number | null
  fault: string | undefined
  disabled: boolean
  onChange: (value: string | number | null) => void
  onLeave: () => void
}

/** One field of the ticket form. Nothing typed is cut off: what is too long is said. */
export const TicketInput = ({
  id,
  field,
  name,
  value,
  fault,
  disabled,
  onChange,
  onLeave,
}: TicketInputProps) => {
  const { title, ...limits } = ticketFields[field]
  const isRequired = 'required' in limits
  const intent = fault ? ('danger' as const) : ('none' as const)
  const isLong = field === 'description'
  const most = 'maxLength' in limits ? limits.maxLength : 0
  const control = {
    id,
    name,
    disabled,
    onBlur: onLeave,
    'aria-required': isRequired,
    'aria-invalid': fault ? true : undefined,
    'aria-describedby':
      [fault && `${id}-fault`, isLong && `${id}-count`].filter(Boolean).join(' ') || undefined,
  }
  const text = String(value ?? '')
  return (
    <FormGroup
      className={`ticket-field ticket-${field}`}
      label={title}
      labelInfo={isRequired ? '(required)' : undefined}
      labelFor={id}
      intent={intent}
      helperText={
        <>
          {fault && <span id={`${id}-fault`}>{fault}</span>}
          {isLong && (
            <span id={`${id}-count`} className="ticket-count">
              {formatCount([...text].length)} of {formatCount(most)} characters
            </span>
          )}
        </>
      }
    >
      {field === 'tickettypeid' ? (
        <HTMLSelect
          {...control}
          fill
          iconProps={{ title: null }}
          value={titleOf(value)}
          onChange={(event) => onChange(typeOf(event.currentTarget.value))}
        >
          <option value="">Select a type</option>
          {ticketTypes.map((type) => (
            <option key={type.const}>{type.title}</option>
          ))}
        </HTMLSelect>
      ) : isLong ? (
        <TextArea
          {...control}
          fill
          rows={6}
          intent={intent}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <InputGroup
          {...control}
          type={field === 'email' ? 'email' : 'text'}
          autoComplete={field === 'email' ? 'email' : 'off'}
          intent={intent}
          value={text}
          onValueChange={onChange}
        />
      )}
    </FormGroup>
  )
}

/** The desk elsewhere is told the type by its words. */
const typeOf = (chosen: string): number | null =>
  ticketTypes.find(({ title }) => title === chosen)?.const ?? null
const titleOf = (value: string | number | null): string =>
  ticketTypes.find((type) => type.const === value)?.title ?? ''

type TicketFormProps = { machine: typeof ticketMachine; desk: HelpdeskForm; email: string }

/**
 * How the desk elsewhere calls what the form holds, unless one of its hidden fields is '{subject}' and the
 * like.
 */
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

/** The embedded form of section 2: sent to the portal, or posted as it stands to the configured desk. */
export const TicketForm = ({ machine, desk, email }: TicketFormProps) => {
  const [snapshot, send] = useActor(machine, useActorEnvironment())
  const [values, setValues] = useState<TicketValues>({ ...emptyTicket, email })
  const [touched, setTouched] = useState<ReadonlySet<TicketField>>(new Set())
  /** Of the server's faults, those whose field was changed since are no longer said. */
  const [mended, setMended] = useState<ReadonlySet<TicketField>>(new Set())
  const form = useRef<HTMLFormElement>(null)
  const sent = useRef<HTMLDivElement>(null)
  const id = useId()
  const { files, refused, percent, filed } = snapshot.context
  const isSending = snapshot.matches('sending')
  const isSent = snapshot.matches('sent')
  useEffect(() => {
    if (isSent) sent.current?.focus()
  }, [isSent])
  const faults = ticketFaults(values)
  const said = (name: TicketField) =>
    (touched.has(name) ? faults[name] : undefined) ??
    (mended.has(name) ? undefined : snapshot.context.faults[name])
  const change = (name: TicketField, value: string | number | null) => {
    setValues({ ...values, [name]: value })
    setMended(new Set([...mended, name]))
  }
  const submit = (event: FormEvent) => {
    setTouched(new Set(ticketFieldNames))
    setMended(new Set())
    const first = ticketFieldNames.find((name) => faults[name] !== undefined)
    if (first !== undefined || desk.url === null) event.preventDefault()
    if (first !== undefined) return document.getElementById(`${id}-${first}`)?.focus()
    // A form that goes elsewhere is the browser's own to send; it is emptied once it has gone.
    if (desk.url !== null) setTimeout(() => send({ type: 'post' }))
    else send({ type: 'send', values })
  }
  if (isSent)
    return (
      <div ref={sent} tabIndex={-1} className="ticket-card ticket-sent">
        <Callout compact intent="success" role="status">
          <strong>
            {filed ? `Ticket ${filed.id} was sent` : 'The ticket was handed to the help desk in a new tab'}
          </strong>
        </Callout>
        <Button
          text="New ticket"
          onClick={() => {
            setValues({ ...values, tickettypeid: null, subject: '', description: '' })
            setTouched(new Set())
            send({ type: 'again' })
          }}
        />
      </div>
    )
  const goesElsewhere = desk.url !== null && {
    action: desk.url,
    method: 'post',
    encType: 'multipart/form-data',
    target: '_blank',
    rel: 'noopener',
  }
  return (
    <form
      ref={form}
      className="ticket-card ticket-form"
      aria-labelledby={`${id}-title`}
      noValidate
      onSubmit={submit}
      {...goesElsewhere}
    >
      <h2 id={`${id}-title`}>Support Ticket</h2>
      {Object.entries(desk.url === null ? {} : desk.fields).map(
        ([name, value]) =>
          !isPlaceholder(value) && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <div className="ticket-fields">
        {ticketFieldNames.map((name) => (
          <TicketInput
            key={name}
            id={`${id}-${name}`}
            field={name}
            name={postedFieldName(desk, name)}
            value={values[name]}
            fault={said(name)}
            disabled={isSending}
            onChange={(value) => change(name, value)}
            onLeave={() => setTouched(new Set([...touched, name]))}
          />
        ))}
      </div>
      <TicketAttachments
        files={files}
        refused={refused}
        fault={snapshot.context.faults['attachments']}
        disabled={isSending}
        onAttach={(chosen: Chosen[]) => send({ type: 'attach', files: chosen })}
        onDetach={(index) => send({ type: 'detach', index })}
      />
      {snapshot.matches('failed') && (
        <Callout compact intent="danger" role="alert">
          The ticket was not sent. Nothing was lost: you can send it again.
        </Callout>
      )}
      {isSending ? (
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
    </form>
  )
}
