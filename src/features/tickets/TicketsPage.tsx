import { Button, Spinner } from '@blueprintjs/core'
import { EnvelopeIcon } from '@blueprintjs/icons'
import { useActor } from '@xstate/react'
import { use, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { ticketMachine } from '../../../machines/ticket.machine.ts'
import type { HelpdeskForm } from '../../../schemas/api/tickets.ts'
import { emptyTicket, ticketList } from '../../../schemas/entities/ticket.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import type { DownloadMachine } from '../../parts/downloads.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import '../../parts/parts.css'
import './tickets.css'
import { validateButtonId, EmailValidationContext } from '../../parts/hooks/emailValidation.ts'
import { loadable } from '../../parts/loadable.tsx'
import { noChanges } from '../../parts/unsaved/discard.ts'
import { DiscardQuestion } from '../../parts/unsaved/DiscardQuestion.tsx'
import { EntityList } from '../entity/EntityList.tsx'
import { useList, type ListMachine } from '../entity/list.ts'
import { useListLayout } from '../entity/list/layout.ts'
import type { ListMachines } from '../entity/list/ListTools.tsx'
import {
  allowedRecordActions,
  useDialog,
  useDiscardQuestion,
  type ModalMachine,
} from '../entity/record/dialog.ts'
import { TicketForm } from './TicketForm.tsx'

const TicketDialog = loadable(async () => (await import('./TicketDialog.tsx')).TicketDialog)

type Props = {
  helpdeskForm: typeof loadMachine
  form: typeof ticketMachine
  list: ListMachine
  modal: ModalMachine
  /** The views of the list, its file and its rows for printing. */
  tools: ListMachines
  download: DownloadMachine
  viewer: Viewer
  /** Null until it has been validated: tickets need it (tickets 1). */
  email: string | null
}

/** The form of a support ticket, and the tickets that the viewer may see. */
export const TicketsPage = ({ email, ...props }: Props) => (
  <section className="entity-page tickets-page">
    <header className="page-head">
      <h1>Support Tickets</h1>
    </header>
    {email === null ? <ValidationNeeded /> : <Tickets email={email} {...props} />}
  </section>
)

const ValidationNeeded = () => {
  const validate = use(EmailValidationContext)
  return (
    <div className="ticket-card">
      <EmptyState
        title="Validate your email to see support tickets"
        icon={<EnvelopeIcon size={32} />}
        action={<Button id={validateButtonId} text="Validate" intent="primary" onClick={validate} />}
      >
        A code is sent to your address.
      </EmptyState>
    </div>
  )
}

/** How often the address asked for a new ticket. */
const useTimesAsked = (asksNew: boolean) => {
  const [times, setTimes] = useState(0)
  useEffect(() => {
    // The dialog, which creates none, takes it out of the address again.
    if (asksNew) setTimes((before) => before + 1)
  }, [asksNew])
  return times
}

/** The subject of the address, and what takes it out of there. */
const useGivenSubject = () => {
  const [params, setParams] = useSearchParams()
  const forget = () => {
    if (!params.has('subject')) return
    setParams(
      (before) => {
        before.delete('subject')
        return before
      },
      { replace: true },
    )
  }
  return [params.get('subject') ?? '', forget] as const
}

/** The text of an empty list (lists 6). Whose tickets the list has depends on the viewer (tickets 7). */
const emptyText = (url: string | null, { seesall, masteragentid }: Viewer) => {
  if (url !== null) return 'Tickets that are sent with the form above go to the help desk.'
  const others = seesall
    ? ', and those of others'
    : masteragentid === null
      ? ''
      : ', and those of your branch'
  return `Tickets that you send with the form above appear here${others}.`
}

const useListWithText = (url: string | null, viewer: Viewer) =>
  useMemo(
    () => ({ ...ticketList, list: { ...ticketList.list, whenEmpty: emptyText(url, viewer) } }),
    [url, viewer],
  )

const Tickets = (props: Props & { email: string }) => {
  const { helpdeskForm, form, list, modal, tools, download, viewer, email } = props
  const { address, layout } = useListLayout(ticketList, viewer)
  const [listSnapshot, sendList] = useList(list, address)
  const reloadList = () => sendList({ type: 'reload' })
  const allowed = useMemo(() => allowedRecordActions(ticketList, viewer), [viewer])
  const openings = useTimesAsked(address.open === 'new')
  const [subject, forgetSubject] = useGivenSubject()
  const [dialog, actor] = useDialog(modal, allowed, address, reloadList)
  const changes = useRef({ ...noChanges })
  const discarding = useDiscardQuestion(dialog, actor, changes)
  const [settings, sendSettings] = useActor(helpdeskForm, useActorEnvironment())
  useEffect(() => sendSettings({ type: 'load' }), [sendSettings])
  const [formWithActions] = useState(() => form.provide({ actions: { reloadList } }))
  const helpdesk = settings.context.result as HelpdeskForm | null
  const listWithText = useListWithText(helpdesk?.url ?? null, viewer)
  return (
    <>
      {helpdesk !== null ? (
        <TicketForm
          machine={formWithActions}
          helpdeskForm={helpdesk}
          username={viewer.username}
          begunWith={{ ...emptyTicket, email, subject }}
          openings={openings}
          onSent={forgetSubject}
          changes={changes}
        />
      ) : settings.matches('failed') ? (
        <div className="ticket-card">
          <EmptyState
            title="The form could not be loaded"
            action={<Button text="Try again" onClick={() => sendSettings({ type: 'load' })} />}
          />
        </div>
      ) : (
        <div className="ticket-card">
          <Spinner aria-label="Loading the form" />
        </div>
      )}
      <h2 className="ticket-list-title">Tickets</h2>
      <EntityList
        entity={listWithText}
        allowed={allowed}
        list={listSnapshot}
        address={address}
        layout={layout}
        onReload={reloadList}
        tools={tools}
      />
      {!dialog.matches('closed') && (
        <TicketDialog snapshot={dialog} send={actor.send} viewer={viewer} download={download} />
      )}
      {discarding.isAsked && (
        <DiscardQuestion onDiscard={discarding.discard} onKeep={discarding.keepEditing} />
      )}
    </>
  )
}
