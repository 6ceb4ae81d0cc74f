import {
  answered,
  changed,
  drawn,
  given,
  modals,
  overwriting,
  pressed,
  unasking,
  unmarking,
  type Fault,
  type Saving,
} from '../lib/tamper.ts'
import { kinds } from './kinds.ts'
import { recordOf, termsRecord } from './kindSteps.ts'
import { modal } from './steps.ts'

const [agent, equipment, user] = kinds.map(recordOf) as [Fault['model'], Fault['model'], Fault['model']]
const terms = termsRecord()

export const recordFaults: readonly Fault[] = [
  {
    name: 'an empty form does not say what is required',
    model: agent,
    state: 'empty form',
    stimulus: 'presses Save',
    says: /Name is required is not said/,
    tamper: drawn(() => document.querySelectorAll('.form-fault').forEach((it) => it.replaceChildren())),
  },
  {
    name: 'a new record is thrown away without asking',
    model: modal,
    state: 'new merchant',
    stimulus: 'presses Cancel',
    says: /address: \{\}, not \{"open":"new"\}/,
    tamper: unasking,
  },
  {
    name: 'Keep editing loses what was typed',
    model: modal,
    state: 'discard?',
    stimulus: 'keeps editing',
    says: /Status: "", not "Live"/,
    tamper: modals(changed(({ confirmingDiscard }) => (confirmingDiscard!.on['cancel'] = 'reading'))),
  },
  {
    name: 'a field is lost on its way to the server',
    model: equipment,
    state: 'changed form',
    stimulus: 'presses Save',
    says: /records with id = 900 and licensingkey = 'LK1': 0/,
    tamper: modals(
      given<Saving>('save', ({ draft: { licensingkey: _lost, ...draft }, ...rest }) => ({ ...rest, draft })),
    ),
  },
  {
    name: "somebody else's change is overwritten in silence",
    model: user,
    state: 'changed form',
    stimulus: 'presses Save, but somebody was faster',
    says: /Somebody else changed this record meanwhile: 0/,
    tamper: overwriting,
  },
  {
    name: 'Reload shows the record as it was',
    model: agent,
    state: 'stale?',
    stimulus: 'reloads the record',
    says: /Notes is not Changed elsewhere/,
    tamper: modals(changed(({ stale }) => (stale!.on['reload'] = 'editing'))),
  },
  {
    name: 'the field that was refused is not marked',
    model: user,
    state: 'message that it is taken',
    stimulus: 'dismisses the message',
    says: /what is marked at Username: ""/,
    tamper: unmarking,
  },
  {
    name: 'the dialog closes though nothing was deleted',
    model: agent,
    state: 'message that it is referenced',
    stimulus: 'dismisses the message',
    says: /Create or Edit Master Agent: 0, not 1/,
    tamper: modals(changed(({ deleting }) => (deleting!.invoke.onError = 'closed'))),
  },
  {
    name: 'a deletion is not asked about',
    model: equipment,
    state: 'form',
    stimulus: 'presses Delete',
    says: /Are you sure you want to delete this equipment\?: 0/,
    tamper: modals(changed(({ editing }) => (editing!.on['delete'] = 'deleting'))),
  },
  {
    name: 'new terms are not asked for at once',
    model: terms,
    state: 'new record',
    stimulus: 'presses Save',
    says: /terms dialog: 0, not 1/,
    tamper: answered('', 428, 500),
  },
  {
    name: 'Close does nothing',
    model: terms,
    state: 'read-only form',
    stimulus: 'presses Close',
    says: /a dialog is open/,
    tamper: pressed('Close'),
  },
]
