import { Button, Dialog, DialogBody, DialogFooter, FormGroup, HTMLSelect, Spinner } from '@blueprintjs/core'
import { DownloadIcon } from '@blueprintjs/icons'
import { useSelector } from '@xstate/react'
import { useCallback, useId, useRef, useState } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Draft } from '../../../machines/modal.machine.ts'
import type { Attachment, Ticket } from '../../../schemas/api/tickets.ts'
import { entities } from '../../../schemas/entities/index.ts'
import { displayIdPattern } from '../../../schemas/entities/masterAgent.ts'
import { midPattern } from '../../../schemas/entities/merchant.ts'
import {
  managesTickets,
  ticketFields,
  ticketStatuses,
  ticketTypes,
} from '../../../schemas/entities/ticket.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { formatBytes, useDownloads, type DownloadActor, type DownloadMachine } from '../../parts/downloads.ts'
import { formatLocalDateTime } from '../../parts/format.ts'
import type { ModalMachine } from '../entity/record/dialog.ts'
import { LinkGroup } from '../entity/record/RecordLinks.tsx'
import { RecordQuestions } from '../entity/record/RecordQuestions.tsx'

type Props = {
  snapshot: SnapshotFrom<ModalMachine>
  send: ActorRefFrom<ModalMachine>['send']
  viewer: Viewer
  download: DownloadMachine
}

/** The dialog of one ticket (tickets 8). Rendered only while it is open. */
export const TicketDialog = ({ snapshot, send, viewer, download }: Props) => {
  const ticket = snapshot.context.row as unknown as Ticket | null
  const [gone, setGone] = useState<readonly string[]>([])
  const addGone = useCallback((id: string) => setGone((before) => [...before, id]), [])
  const actorOf = useDownloads(download, addGone)
  const canManage = managesTickets(viewer)
  const draft = useRef<Draft>({})
  return (
    <>
      <Dialog
        isOpen
        className="dialog-large"
        title={ticket ? `Ticket ${ticket.id}` : 'Ticket'}
        canOutsideClickClose={false}
        shouldReturnFocusOnClose={false}
        transitionDuration={100}
        onClose={() => send({ type: 'close' })}
      >
        <DialogBody>
          {ticket === null || snapshot.matches('reading') ? (
            <Spinner className="dialog-loading" aria-label="Loading" />
          ) : (
            <TicketDetails
              {...{ ticket, canManage, viewer, actorOf, gone }}
              busy={isBusy(snapshot)}
              onStatus={(statusid) => {
                draft.current = { statusid }
                send({ type: 'change', dirty: statusid !== ticket.statusid })
              }}
            />
          )}
        </DialogBody>
        <TicketFooter
          {...{ snapshot, send, canManage }}
          onSave={() => send({ type: 'save', draft: draft.current })}
        />
      </Dialog>
      <RecordQuestions
        snapshot={snapshot}
        send={send}
        nouns={{ deleted: 'ticket', changed: 'ticket' }}
        draft={() => draft.current}
      />
    </>
  )
}

const isBusy = (snapshot: Props['snapshot']) => snapshot.matches('saving') || snapshot.matches('deleting')

type TicketFooterProps = Pick<Props, 'snapshot' | 'send'> & { canManage: boolean; onSave: () => void }

const TicketFooter = ({ snapshot, send, canManage, onSave }: TicketFooterProps) => {
  const isLoaded = snapshot.context.row !== null
  return (
    <DialogFooter
      actions={
        <>
          <Button
            text={canManage ? 'Cancel' : 'Close'}
            disabled={isBusy(snapshot)}
            onClick={() => send({ type: 'close' })}
          />
          {canManage && (
            <Button
              text="Save"
              intent="primary"
              disabled={!isLoaded || snapshot.matches('reading') || snapshot.matches('deleting')}
              loading={snapshot.matches('saving')}
              onClick={onSave}
            />
          )}
        </>
      }
    >
      {canManage && isLoaded && (
        <Button
          text="Delete"
          intent="danger"
          variant="outlined"
          disabled={!snapshot.can({ type: 'delete' })}
          onClick={() => send({ type: 'delete' })}
        />
      )}
    </DialogFooter>
  )
}

type TicketDetailsProps = {
  ticket: Ticket
  canManage: boolean
  viewer: Viewer
  busy: boolean
  actorOf: (id: string) => DownloadActor
  /** The ids of downloads whose attachment was removed while the dialog was open. */
  gone: readonly string[]
  onStatus: (id: number) => void
}

/** Finds a pattern that no letter or digit touches and no plus sign stands before. */
const apart = (pattern: string) => new RegExp(`(?<![\\p{L}\\d+])${pattern}(?![\\p{L}\\d])`, 'gu')
/** A telephone number of North America with its country code: 1, an area code, an exchange and a line. */
const phonePattern = String.raw`1[2-9]\d{2}[2-9]\d{6}(?!\d)`
/** The lists that have the records which a ticket mentions, and what their numbers look like. */
const mentioned = [
  [entities['merchant']!, apart(`(?!${phonePattern})${midPattern}`)],
  [entities['masteragent']!, apart(displayIdPattern)],
] as const
const maxMentioned = 10

/** Links to the lists of merchants and agents, searched for the numbers in the ticket (tickets 8). */
const mentionedRecords = ({ subject, description }: Ticket, viewer: Viewer) => {
  const text = `${subject}\n${description}`
  return mentioned
    .filter(([{ access }]) => access.list(viewer))
    .flatMap(([{ path }, pattern]) =>
      [...new Set(text.match(pattern))].map((number) => ({ text: number, path: `${path}?search=${number}` })),
    )
    .slice(0, maxMentioned)
}

/** An email to who is to be answered, about this ticket. */
const replyAddress = ({ id, email, subject }: Ticket) => {
  const address = encodeURIComponent(email).replace('%40', '@')
  return `mailto:${address}?subject=${encodeURIComponent(`Ticket ${id}: ${subject}`)}`
}

const TicketDetails = (props: TicketDetailsProps) => {
  const { ticket, canManage, viewer, busy, actorOf, gone, onStatus } = props
  return (
    <>
      <dl className="ticket-details">
        {detailsOf(ticket, !canManage)
          .filter(({ text }) => text !== '')
          .map(({ title, text, href }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{href === undefined ? text : <a href={href}>{text}</a>}</dd>
            </div>
          ))}
      </dl>
      <h3 className="ticket-part">{ticketFields.description.title}</h3>
      <p className="ticket-description">{ticket.description}</p>
      <LinkGroup title="Mentioned in this ticket" links={mentionedRecords(ticket, viewer)} />
      {ticket.files.length > 0 && (
        <>
          <h3 className="ticket-part">Attachments</h3>
          <ul className="ticket-files">
            {ticket.files.map((file) => {
              const id = `${ticket.id}/${file.id}`
              return <AttachmentRow key={id} file={file} actor={actorOf(id)} isGone={gone.includes(id)} />
            })}
          </ul>
        </>
      )}
      {canManage && <StatusSelect initial={ticket.statusid} busy={busy} onStatus={onStatus} />}
    </>
  )
}

const titleOf = (options: readonly { const: number; title: string }[], id: number) =>
  options.find((option) => option.const === id)?.title ?? String(id)

type Detail = { title: string; text: string; href?: string }

const detailsOf = (ticket: Ticket, withStatus: boolean): Detail[] => [
  { title: ticketFields.subject.title, text: ticket.subject },
  { title: ticketFields.tickettypeid.title, text: titleOf(ticketTypes, ticket.tickettypeid) },
  { title: ticketFields.agentoffice.title, text: ticket.agentoffice },
  { title: ticketFields.agentname.title, text: ticket.agentname },
  {
    title: ticketFields.email.title,
    text: ticket.email,
    // Nobody answers themselves.
    ...(!ticket.own && { href: replyAddress(ticket) }),
  },
  { title: 'Reporter', text: ticket.reporter },
  { title: 'Created', text: formatLocalDateTime(ticket.created) },
  ...(withStatus ? [{ title: 'Status', text: titleOf(ticketStatuses, ticket.statusid) }] : []),
]

type StatusSelectProps = { initial: number; busy: boolean; onStatus: (id: number) => void }

const StatusSelect = ({ initial, busy, onStatus }: StatusSelectProps) => {
  const [statusid, setStatus] = useState(initial)
  const id = useId()
  return (
    <FormGroup label="Status" labelFor={id} className="ticket-status">
      <HTMLSelect
        id={id}
        disabled={busy}
        iconProps={{ title: null }}
        value={statusid}
        options={ticketStatuses.map((option) => ({ value: option.const, label: option.title }))}
        onChange={(event) => {
          const chosen = Number(event.currentTarget.value)
          setStatus(chosen)
          onStatus(chosen)
        }}
      />
    </FormGroup>
  )
}

type AttachmentProps = { file: Attachment; actor: DownloadActor; isGone: boolean }

const AttachmentRow = ({ file, actor, isGone }: AttachmentProps) => {
  const snapshot = useSelector(actor, (state) => state)
  const isDownloading = snapshot.matches('downloading')
  const label = isDownloading ? 'Cancel' : snapshot.matches('failed') ? 'Try again' : 'Download'
  return (
    <li>
      <span className="ticket-file">{file.name}</span>
      <span className="ticket-size">
        {isGone
          ? 'No longer there'
          : isDownloading && snapshot.context.percent !== null
            ? `${snapshot.context.percent} %`
            : formatBytes(file.size)}
      </span>
      {!isGone && (
        <Button
          size="small"
          variant="outlined"
          icon={
            isDownloading ? <Spinner size={16} aria-label={`Downloading ${file.name}`} /> : <DownloadIcon />
          }
          text={label}
          aria-label={`${label} ${file.name}`}
          onClick={() => actor.send({ type: isDownloading ? 'cancel' : 'download' })}
        />
      )}
    </li>
  )
}
