import { assign } from 'xstate'
import type { AttachedFile as Chosen, TicketInput } from '../../../machines/ticket.machine.ts'
import { drive } from '../drive/steps.ts'
import { email } from '../email/steps.ts'
import { request } from '../email/views.ts'
import {
  acting,
  answered,
  answering,
  buttons,
  changed,
  drawn,
  given,
  heard,
  machine,
  mute,
  part,
  pressed,
  refocused,
  type Fault,
  type Tamper,
} from '../lib/tamper.ts'
import { ticket } from './steps.ts'

type Params = { files: Chosen[] }
const form = (name: string, action: unknown) => part(['tickets', 'form'], acting(name, action))
const isSmall = ({ size }: Chosen) => size <= 20 * 1024 * 1024
const file = 'GET /api/v2/files/'
/** Somebody forgot that names are typed without accents. */
const accents: Tamper = {
  page: () => {
    const own = Object.getOwnPropertyDescriptor(String.prototype, 'normalize')!
    const forgetful = function (this: string) {
      return String(this)
    }
    Object.defineProperty(String.prototype, 'normalize', { ...own, value: forgetful })
    return () => Object.defineProperty(String.prototype, 'normalize', own)
  },
}
/** What was typed as a code stands there again. */
const keptCode = (): Tamper => {
  let typed = ''
  return drawn(() => {
    const field = document.querySelector<HTMLInputElement>('[name=code]')
    if (field?.value) typed = field.value
    else if (field && typed) field.value = typed
  })
}

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

export const emailFaults: readonly Fault[] = [
  {
    name: 'the code of before stands in the field again',
    model: email,
    state: 'email step again',
    stimulus: 'submits an email',
    says: /Code: "\d{6}", not ""/,
    tamper: keptCode(),
  },
  {
    name: 'a code that is refused for haste is awaited',
    model: email,
    state: 'email step',
    stimulus: 'submits an email, though a code was sent a moment ago',
    says: /it was not refused: 200/,
    tamper: answered(request, 429, 200),
  },
  {
    name: 'half a code can be sent',
    model: email,
    state: 'code step',
    stimulus: 'types five digits',
    says: /Submit is disabled: false/,
    tamper: heard('document', 'input', () =>
      setTimeout(() => buttons('Submit').forEach((it) => it.removeAttribute('disabled'))),
    ),
  },
  {
    name: 'a wrong code is not explained',
    model: email,
    state: 'code step',
    stimulus: 'submits a wrong code',
    says: /it is marked: false/,
    tamper: machine('verification', acting('explain', assign({ error: null }))),
  },
  {
    name: 'the explanation of before stays when one goes back',
    model: email,
    state: 'code refused',
    stimulus: 'goes back',
    says: /it is marked: true/,
    tamper: machine(
      'verification',
      changed(({ askingCode }) => (askingCode!.on['back'] = 'askingEmail')),
    ),
  },
  {
    name: 'the session does not learn of the email',
    model: email,
    state: 'code step',
    stimulus: 'submits the code',
    says: /no answered call PUT \/api\/v1\/renew/,
    tamper: machine('verification', acting('renewSession')),
  },
  {
    name: 'the field is not given the focus',
    model: email,
    state: 'card',
    stimulus: 'presses Validate',
    says: /Email has the focus: false/,
    tamper: refocused('[name=email]'),
  },
]

export const driveFaults: readonly Fault[] = [
  {
    name: 'Cancel does not stop a download',
    model: drive,
    state: 'downloading',
    stimulus: 'presses Cancel',
    says: /the answer of a cancelled download: 200/,
    tamper: part(
      ['drive', 'download'],
      changed(({ downloading }) => delete downloading!.on['cancel']),
    ),
  },
  {
    name: 'a failed download is taken for a file',
    model: drive,
    state: 'open folder',
    stimulus: 'downloads, and the file is gone',
    says: /That's an error\.: 0, not 1/,
    tamper: answered(file, 404, 200),
  },
  {
    name: 'a file that failed cannot be told from the others',
    model: drive,
    state: 'message over failed download',
    stimulus: 'dismisses the message',
    says: /Download Guía\.txt: 1, not 0/,
    tamper: part(
      ['drive', 'download'],
      changed(({ downloading }) => (downloading!.invoke.onError = 'idle')),
    ),
  },
  {
    name: 'a 401 of a download is swallowed',
    model: drive,
    state: 'open folder',
    stimulus: 'downloads, and the session has ended',
    says: /this is not the login/,
    tamper: answered(file, 401, 500),
  },
  {
    name: 'the filter hides matches',
    model: drive,
    state: 'closed tree',
    stimulus: 'filters by a name',
    says: /rows: \[\]/,
    tamper: accents,
  },
  {
    name: 'a drive that failed looks like an empty one',
    model: drive,
    state: 'message over failed tree',
    stimulus: 'dismisses the message',
    says: /'The shared drive could not be loaded' is not said/,
    tamper: part(['drive', 'manifest'], mute('load', [])),
  },
  {
    name: 'what was downloaded is not saved',
    model: drive,
    state: 'open folder',
    stimulus: 'downloads',
    says: /saved files: \[\]/,
    tamper: part(['drive', 'download'], acting('saveFile')),
  },
  {
    name: 'the keyboard downloads nothing',
    model: drive,
    state: 'open folder',
    stimulus: 'downloads by the key',
    says: /saved files: \[\]/,
    tamper: heard(
      'document',
      'keydown',
      (event) => (event as KeyboardEvent).key === 'Enter' && event.stopImmediatePropagation(),
    ),
  },
  {
    name: 'Try again does nothing',
    model: drive,
    state: 'failed tree',
    stimulus: 'tries again',
    says: /rows: \[\]/,
    tamper: pressed('Try again'),
  },
]
