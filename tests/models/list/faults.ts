import { assign } from 'xstate'
import {
  acting,
  allowing,
  changed,
  given,
  lists,
  modals,
  mute,
  overwriting,
  timer,
  unasking,
  unmarking,
  type Fault,
} from '../lib/tamper.ts'
import { modal } from '../record/steps.ts'
import { list } from './steps.ts'

const none = { data: [], total_length: 0 }

type Asked = { page: number; filter: string }
/** A list whose call is made from what is asked for now and what was asked for before. */
const remembering = (ask: (now: Asked, before: Asked) => Partial<Asked>) => {
  let before: Asked = { page: 1, filter: '' }
  return lists(
    given<Asked>('load', (now) => {
      const asked = { ...now, ...ask(now, before) }
      before = asked
      return asked
    }),
  )
}

export const listFaults: readonly Fault[] = [
  {
    name: 'every letter asks the server at once',
    model: list,
    state: 'page 1',
    stimulus: 'types bakery',
    says: /calls 299 ms after/,
    tamper: timer(300, 1),
  },
  {
    name: 'a search is asked for too late',
    model: list,
    state: 'typing bakery',
    stimulus: '300 ms pass',
    says: /calls at 300 ms/,
    tamper: timer(300, 301),
  },
  {
    name: 'a page past the end stays empty',
    model: list,
    state: 'home page',
    stimulus: 'follows a link to page 9',
    says: /address: .*"9"/,
    tamper: lists(allowing('isBeyondEnd', () => false)),
  },
  {
    name: 'a filter of the address is not sent',
    model: list,
    state: 'home page',
    stimulus: 'follows a link to the inactive ones',
    says: /rows: \["/,
    tamper: remembering(() => ({ filter: '' })),
  },
  {
    name: 'a filter that was cleared keeps its rows',
    model: list,
    state: 'no inactive ones',
    stimulus: 'presses Clear filters',
    says: /rows: \[\]/,
    tamper: remembering((now, before) => ({ filter: now.filter || before.filter })),
  },
  {
    name: 'another filter does not begin at page 1',
    model: list,
    state: 'page 2',
    stimulus: 'filters by Active',
    says: /rows: \["/,
    tamper: remembering((now, before) => (now.filter === before.filter ? {} : { page: before.page })),
  },
  {
    name: 'a failed list looks like an empty one',
    model: list,
    state: 'message, before the first rows',
    stimulus: 'dismisses the message',
    says: /'The list could not be loaded' is not said/,
    tamper: lists(mute('load', none)),
  },
  {
    name: 'Try again does nothing',
    model: list,
    state: 'failed',
    stimulus: 'presses Try again',
    says: /rows: \[\]/,
    tamper: lists(changed(({ failed }) => (failed!.on = {}))),
  },
  {
    name: 'Cancel does nothing',
    model: modal,
    state: 'form',
    stimulus: 'presses Cancel',
    says: /address: \{"open":"3"\}/,
    tamper: modals(changed(({ editing }) => delete editing!.on['close'])),
  },
  {
    name: 'Delete deletes without asking',
    model: modal,
    state: 'form',
    stimulus: 'presses Delete',
    says: /gone from the database|address: \{\}/,
    tamper: modals(changed(({ editing }) => (editing!.on['delete'] = 'deleting'))),
  },
  {
    name: 'the dialog closes though it was not saved',
    model: modal,
    state: 'message that it was not saved',
    stimulus: 'dismisses the message',
    says: /address: \{\}/,
    tamper: modals(changed(({ saving }) => (saving!.invoke.onError = 'closed'))),
  },
  {
    name: 'the list is not read again after a save',
    model: modal,
    state: 'changed form',
    stimulus: 'presses Save',
    says: /calls for the list/,
    tamper: modals(changed(({ saving }) => (saving!.invoke.onDone = 'closed'))),
  },
  {
    name: "somebody else's change is overwritten in silence",
    model: modal,
    state: 'changed form',
    stimulus: 'presses Save, but somebody was faster',
    says: /status in the database|calls for the list|not answered/,
    tamper: overwriting,
  },
  {
    name: 'fields the server refused are not marked',
    model: modal,
    state: 'message that the XMID is taken',
    stimulus: 'dismisses the message',
    says: /what is marked at XMID: ""/,
    tamper: unmarking,
  },
  {
    name: 'Cancel throws changes away without asking',
    model: modal,
    state: 'changed form',
    stimulus: 'presses Cancel',
    says: /address: \{\}/,
    tamper: unasking,
  },
  {
    name: 'Back throws changes away without asking',
    model: modal,
    state: 'changed form',
    stimulus: 'goes back',
    says: /address: \{\}/,
    tamper: modals(acting('keepDirty', assign({ dirty: false }))),
  },
  {
    name: 'a deletion does not say which version was read',
    model: modal,
    state: 'delete?',
    stimulus: 'confirms, but somebody was faster',
    says: /not refused/,
    tamper: { call: ({ headers }) => delete headers['if-match'] },
  },
  {
    name: 'who may not create gets the dialog by its address',
    model: modal,
    state: 'nobody is there',
    stimulus: 'a reassigner opens a new record by its address',
    says: /address: \{"open":"new"\}/,
    tamper: modals(allowing('mayCreate', () => true)),
  },
  {
    name: 'a record that cannot be read opens an empty dialog',
    model: modal,
    state: 'message that it cannot be read',
    stimulus: 'dismisses the message',
    says: /address: \{"open":"3"\}/,
    tamper: modals(changed(({ reading }) => (reading!.invoke.onError = 'editing'))),
  },
]
