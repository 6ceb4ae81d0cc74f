import { Button, Dialog, DialogBody, DialogFooter, FormGroup, HTMLSelect, Spinner } from '@blueprintjs/core'
import { DownloadIcon } from '@blueprintjs/icons'
import { useSelector } from '@xstate/react'
import { useId, useRef, useState } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Draft } from '../../../machines/modal.machine.ts'
import {
  managesTickets,
  ticketFields,
  ticketStatuses,
  ticketTypes,
  type Attachment,
  type Ticket,
} from '../../../schemas/entities/ticket.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { Confirm } from '../../parts/Confirm.tsx'
import { formatBytes, formatUtcDate } from '../../parts/format.ts'
import { useDownloads, type DownloadActor, type DownloadMachine } from '../drive/downloads.ts'
import type { ModalMachine } from '../entity/dialog.ts'
import { RecordQuestions } from '../entity/RecordQuestions.tsx'

type Props = {
  snapshot: SnapshotFrom<ModalMachine>
  send: ActorRefFrom<ModalMachine>['send']
  viewer: Viewer
  download: DownloadMachine
}

/**
 * One ticket: what it says, its attachments, and for who manages tickets its status and its end. Drawn only
 * while it is open.
 */
export const TicketDialog = ({ snapshot, send, viewer, download }: Props) => {
  const ticket = snapshot.context.row as unknown as Ticket | null
  const actorOf = useDownloads(download)
  const manages = managesTickets(viewer)
  const draft = useRef<Draft>({})
  const isBusy = snapshot.matches('saving') || snapshot.matches('deleting')
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
              key={`${ticket.id} ${ticket.version}`}
              ticket={ticket}
              mayChange={manages}
              busy={isBusy}
              actorOf={actorOf}
              onStatus={(statusid) => {
                draft.current = { statusid }
                send({ type: 'change', dirty: statusid !== ticket.statusid })
              }}
            />
          )}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button
                text={manages ? 'Cancel' : 'Close'}
                disabled={isBusy}
                onClick={() => send({ type: 'close' })}
              />
              {manages && (
                <Button
                  text="Save"
                  intent="primary"
                  disabled={ticket === null || snapshot.matches('reading') || snapshot.matches('deleting')}
                  loading={snapshot.matches('saving')}
                  onClick={() => send({ type: 'save', draft: draft.current })}
                />
              )}
            </>
          }
        >
          {manages && ticket !== null && (
            <Button
              text="Delete"
              intent="danger"
              variant="outlined"
              disabled={!snapshot.can({ type: 'delete' })}
              onClick={() => send({ type: 'delete' })}
            />
          )}
        </DialogFooter>
      </Dialog>
      <RecordQuestions
        snapshot={snapshot}
        send={send}
        nouns={{ deleted: 'ticket', changed: 'ticket' }}
        draft={() => draft.current}
      />
      {snapshot.matches('confirmingDiscard') && (
        <Confirm
          choices={[
            { text: 'Discard', intent: 'danger', onClick: () => send({ type: 'discard' }) },
            { text: 'Keep editing', onClick: () => send({ type: 'cancel' }) },
          ]}
        >
          Discard your changes?
        </Confirm>
      )}
    </>
  )
}

const titleOf = (options: readonly { const: number; title: string }[], id: number) =>
  options.find((option) => option.const === id)?.title ?? String(id)

type DetailsProps = {
  ticket: Ticket
  mayChange: boolean
  busy: boolean
  actorOf: (id: string) => DownloadActor
  onStatus: (id: number) => void
}

const TicketDetails = ({ ticket, mayChange, busy, actorOf, onStatus }: DetailsProps) => {
  const [statusid, setStatus] = useState(ticket.statusid)
  const id = useId()
  const lines: [string, string][] = [
    [ticketFields.subject.title, ticket.subject],
    [ticketFields.tickettypeid.title, titleOf(ticketTypes, ticket.tickettypeid)],
    [ticketFields.agentoffice.title, ticket.agentoffice],
    [ticketFields.agentname.title, ticket.agentname],
    [ticketFields.email.title, ticket.email],
    ['Reporter', ticket.reporter],
    ['Created', formatUtcDate(ticket.created)],
    ...(mayChange ? [] : [['Status', titleOf(ticketStatuses, ticket.statusid)] as [string, string]]),
  ]
  return (
    <>
      <dl className="ticket-details">
        {lines
          .filter(([, text]) => text !== '')
          .map(([title, text]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
      </dl>
      <h3 className="ticket-part">{ticketFields.description.title}</h3>
      <p className="ticket-description">{ticket.description}</p>
      {ticket.files.length > 0 && (
        <>
          <h3 className="ticket-part">Attachments</h3>
          <ul className="ticket-files">
            {ticket.files.map((file) => (
              <AttachmentRow key={file.id} file={file} actor={actorOf(`${ticket.id}/${file.id}`)} />
            ))}
          </ul>
        </>
      )}
      {mayChange && (
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
      )}
    </>
  )
}

const AttachmentRow = ({ file, actor }: { file: Attachment; actor: DownloadActor }) => {
  const snapshot = useSelector(actor, (state) => state)
  const isDownloading = snapshot.matches('downloading')
  const word = isDownloading ? 'Cancel' : snapshot.matches('failed') ? 'Try again' : 'Download'
  return (
    <li>
      <span className="ticket-file">{file.name}</span>
      <span className="ticket-size">
        {isDownloading && snapshot.context.percent !== null
          ? `${snapshot.context.percent} %`
          : formatBytes(file.size)}
      </span>
      <Button
        size="small"
        variant="outlined"
        icon={
          isDownloading ? <Spinner size={16} aria-label={`Downloading ${file.name}`} /> : <DownloadIcon />
        }
        text={word}
        aria-label={`${word} ${file.name}`}
        onClick={() => actor.send({ type: isDownloading ? 'cancel' : 'download' })}
      />
    </li>
  )
}
