import { assign } from 'xstate'
import type { AttachedFile as Chosen, TicketInput } from '../../../machines/ticket.machine.ts'
import { acting, answering, changed, given, part, type Fault } from '../lib/tamper.ts'
import { ticket } from './steps.ts'

type Params = { files: Chosen[] }
const form = (name: string, action: unknown) => part(['tickets', 'form'], acting(name, action))
const isSmall = ({ size }: Chosen) => size <= 20 * 1024 * 1024
export const ticketFaults: readonly Fault[] = [
  {
    name: 'a sixth attachment is accepted',
    model: ticket,
    state: 'two files',
    stimulus: 'attaches four more',
    says: /attached: f\.txt: 1, not 0/,
    tamper: form(
      'keepFiles',
      assign(({ context }, { files }: Params) => ({ files: [...context.files, ...files], refused: [] })),
    ),
  },
  {
    name: 'a file that is too large is left out in silence',
    model: ticket,
    state: 'two files',
    stimulus: 'attaches one that is too large',
    says: /large\.bin is larger than 20 MB: false/,
    tamper: form(
      'keepFiles',
      assign(({ context }, { files }: Params) => ({ files: [...context.files, ...files.filter(isSmall)] })),
    ),
  },
  {
    name: 'Remove takes another file away',
    model: ticket,
    state: 'two files',
    stimulus: 'removes the first',
    says: /attached: a\.txt: 1, not 0/,
    tamper: form(
      'dropFile',
      assign(({ context }) => ({ files: context.files.slice(0, -1), refused: [] })),
    ),
  },
  {
    name: 'the attachments stay behind',
    model: ticket,
    state: 'two files',
    stimulus: 'submits',
    says: /tickets filed: .*"files":"?0/,
    tamper: part(
      ['tickets', 'form'],
      given<{ values: TicketInput; files: Chosen[] }>('send', ({ values }) => ({ values, files: [] })),
    ),
  },
  {
    name: 'Cancel does not stop a ticket',
    model: ticket,
    state: 'sending',
    stimulus: 'presses Cancel',
    says: /the answer of a cancelled ticket: 201/,
    tamper: part(
      ['tickets', 'form'],
      changed(({ sending }) => delete sending!.on['cancel']),
    ),
  },
  {
    name: 'nothing says that the ticket was not sent',
    model: ticket,
    state: 'message over failed ticket',
    stimulus: 'dismisses the message',
    says: /that it was not sent: false/,
    tamper: part(
      ['tickets', 'form'],
      changed(({ sending }) => (sending!.invoke.onError = 'filling')),
    ),
  },
  {
    name: 'the list does not know the new ticket',
    model: ticket,
    state: 'filled form',
    stimulus: 'submits',
    says: /the first row is ''/,
    tamper: part(
      ['tickets', 'form'],
      changed(({ sending }) => (sending!.invoke.onDone as { actions: unknown[] }).actions.pop()),
    ),
  },
  {
    name: 'a ticket for the desk is kept by the portal',
    model: ticket,
    state: 'filled form of the desk',
    stimulus: 'submits',
    says: /that it was handed over/,
    tamper: part(['tickets', 'helpdeskForm'], answering('load', { url: null, fields: {} })),
  },
]
