import { assign } from 'xstate'
import {
  acting,
  answered,
  buttons,
  changed,
  drawn,
  heard,
  machine,
  refocused,
  type Fault,
  type Tamper,
} from '../lib/tamper.ts'
import { email } from './steps.ts'
import { request } from './views.ts'

/** What was typed as a code stands there again. */
const keptCode = (): Tamper => {
  let typed = ''
  return drawn(() => {
    const field = document.querySelector<HTMLInputElement>('[name=code]')
    if (field?.value) typed = field.value
    else if (field && typed) field.value = typed
  })
}

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
