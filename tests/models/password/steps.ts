import {
  calls,
  causes,
  dismiss,
  errorTitle,
  genericText,
  me,
  sentenceOf,
  signIn,
  stored,
} from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import type { Answer } from '../lib/drivers/network.ts'
import type { UserModel } from '../lib/userModel.ts'
import { passwordModel } from './model.ts'

const dialog = 'Change Password'
const change = 'PUT /api/v1/user/me'
const confirm = 'PUT /api/v1/reauthenticate'
const questionTitle = 'Confirm Your Password'
let changes = 0

/** Signed in with this one password, and with no other. */
async function isPassword({ portal }: Driver, password: string): Promise<boolean> {
  const { status } = await (await portal.stranger()).call('PUT', '/api/v1/login', { username: me, password })
  await causes(portal).forgiveSignIns()
  return status === 200
}
const fill = async (it: Driver, first: string, second = first) => {
  await it.fill('Password', first, { dialog })
  await it.fill('Confirm Password', second, { dialog })
}
const save: Step = (it) => it.press('Save', { dialog })
/** Only what is new is sent, with the token of the session; from then on it is the password. */
const send = async (it: Driver, password: string, confirmed = 0) => {
  await causes(it.portal).lastConfirmed(me, confirmed)
  const { access_token } = (await stored(it))!
  await fill(it, password)
  const call = await calls(it, change, async () => {
    await save(it)
  })
  ok(call.bearer === access_token, 'sent without the token of the session')
  ok(call.body === JSON.stringify({ password }), `sent ${call.body}`)
  return call
}
const fresh = () => `four words in a row ${++changes}`
const keeps = async (it: Driver, password: string) => {
  const before = it.portal.people[me]!.password
  it.portal.people[me]!.password = password
  ok(await isPassword(it, password), 'the new password does not open the portal')
  ok(!(await isPassword(it, before)), 'the old password still opens the portal')
}
const refused =
  (answer: Answer): Step =>
  async (it) => {
    it.network.fault(change, answer)
    await send(it, fresh())
    await says(it, sentenceOf(answer))
  }
const says = (it: Driver, sentence: string) =>
  it.eventually(async () =>
    ok((await it.text('dialog', errorTitle)).includes(sentence), `the message does not say '${sentence}'`),
  )
const give = (it: Driver, password: string, answered: () => Promise<void> = async () => {}) =>
  calls(it, confirm, async () => {
    await it.fill('Present Password', password, { dialog: questionTitle })
    await it.press('Confirm', { dialog: questionTitle })
    await answered()
  })
/** The new password goes out again, without being typed again. */
const goesOn = async (it: Driver, act: () => Promise<void>, status = 204) => {
  const password = under.get(it)!
  const call = await calls(it, change, act)
  ok(call.status === status, `it was answered ${call.status}`)
  ok(call.body === JSON.stringify({ password }), `sent ${call.body}`)
}
/** What is being saved while its answer is awaited. */
const under = new WeakMap<Driver, string>()

const steps: Record<string, Step> = {
  'opens Change Password': async (it) => {
    await it.press(`Welcome, ${me}`)
    await it.press('Change Password', { role: 'menuitem' })
  },
  cancels: async (it) =>
    it.press('Cancel', { dialog: (await it.count('dialog', questionTitle)) ? questionTitle : dialog }),
  'saves without typing': save,
  'saves two that differ': async (it) => {
    await fill(it, 'four words in a row', 'four words in a raw')
    await save(it)
  },
  'saves a new one': async (it) => {
    const password = fresh()
    await send(it, password)
    await keeps(it, password)
  },
  'saves a new one, and it takes long': async (it) => {
    const password = fresh()
    await causes(it.portal).lastConfirmed(me, 0)
    it.network.hold(change)
    await fill(it, password)
    await save(it)
    await it.eventually(() => ok(it.network.calls(change).at(-1)?.status === null, 'nothing was sent'))
    under.set(it, password)
  },
  'the answer comes': async (it) => {
    it.network.release(change)
    await it.eventually(() => ok(it.network.calls(change).at(-1)?.status === 204, 'it was not saved'))
    await keeps(it, under.get(it)!)
  },
  'the server refuses': async (it) => {
    it.network.fault(change, 500)
    it.network.release(change)
    await says(it, sentenceOf(500))
  },
  'saves a short one': async (it) => {
    ok((await send(it, 'too short')).status === 422, 'it was not refused')
    await says(it, 'Password needs at least 12 characters')
  },
  'saves a new one, and the server fails': refused(500),
  'saves a new one, and no answer comes': refused('no answer'),
  'saves a new one, signed out meanwhile': async (it) => {
    await causes(it.portal).endSessions(me)
    ok((await send(it, fresh())).status === 401, 'it was not refused')
  },
  'saves a new one, long after the sign-in': async (it) => {
    const password = fresh()
    ok((await send(it, password, 11)).status === 403, 'it was not refused')
    under.set(it, password)
  },
  'gives the present one': async (it) => {
    const before = it.portal.people[me]!.password
    await goesOn(it, async () => {
      const call = await give(it, before)
      ok(call.status === 204 && call.body === JSON.stringify({ password: before }), `sent ${call.body}`)
    })
    await keeps(it, under.get(it)!)
  },
  'gives the present one, and it takes long': async (it) => {
    it.network.hold(confirm)
    await it.fill('Present Password', it.portal.people[me]!.password, { dialog: questionTitle })
    await it.press('Confirm', { dialog: questionTitle })
    await it.eventually(() => ok(it.network.calls(confirm).at(-1)?.status === null, 'nothing was sent'))
  },
  'the confirmation comes': async (it) => {
    await goesOn(it, async () => it.network.release(confirm))
    await keeps(it, under.get(it)!)
  },
  'gives a wrong one': async (it) => ok((await give(it, 'not the one')).status === 422, 'it was not refused'),
  'gives the present one, and no answer comes': async (it) => {
    it.network.fault(confirm, 'no answer')
    await give(it, it.portal.people[me]!.password)
  },
  'gives the present one, and the server then fails': async (it) => {
    it.network.fault(change, 500)
    await goesOn(it, async () => void (await give(it, it.portal.people[me]!.password)), 500)
    await says(it, sentenceOf(500))
  },
  dismisses: dismiss,
  'signs in': async (it) => void (await signIn(it, me)),
}

const dialogs = async (it: Driver, ...titles: string[]) => {
  ok((await it.count('dialog')) === titles.length, `${await it.count('dialog')} dialogs are open`)
  for (const title of titles) ok(await it.count('dialog', title), `the dialog '${title}' is not open`)
}
const open =
  (typed: boolean, ...above: string[]): Step =>
  async (it) => {
    await dialogs(it, dialog, ...above)
    const fields = [await it.value('Password'), await it.value('Confirm Password')]
    ok(
      fields.every((text) => (text !== '') === typed),
      `the fields hold ${JSON.stringify(fields)}`,
    )
    ok(!(await it.state('button', 'Cancel')).disabled, 'Cancel cannot be pressed')
  }
/** The second dialog over the first, with what the server said of the present password. */
const asks =
  (sentence?: string): Step =>
  async (it) => {
    await dialogs(it, dialog, questionTitle)
    const text = await it.text('dialog', questionTitle)
    for (const said of ['This is not your present password', genericText])
      ok(text.includes(said) === (said === sentence), `the question says: ${text}`)
  }
const observe: Record<string, Step> = {
  portal: async (it) => {
    await dialogs(it)
    ok(await it.count('button', `Welcome, ${me}`), 'not in the portal')
  },
  'empty dialog': open(false),
  'dialog that asks for both': async (it) => {
    await open(false)(it)
    for (const field of ['Password', 'Confirm Password'])
      ok(await it.shows(`${field} is required`), `'${field} is required' is not said`)
  },
  'dialog that sees them differ': async (it) => {
    await open(true)(it)
    ok(await it.shows('Passwords do not match'), "'Passwords do not match' is not said")
  },
  saving: async (it) => {
    await dialogs(it, dialog)
    ok((await it.state('button', 'Cancel')).disabled, 'Cancel can be pressed')
    ok(
      it.network.calls(change).filter(({ status }) => status === null).length === 1,
      'there is not one call under way',
    )
  },
  question: asks(),
  confirming: async (it) => {
    await dialogs(it, dialog, questionTitle)
    ok((await it.state('button', 'Confirm')).disabled, 'Confirm can be pressed')
  },
  'question that refuses': asks('This is not your present password'),
  'question without an answer': asks(genericText),
  'message over the dialog': open(true, errorTitle),
  'filled dialog': open(true),
  'login form': async (it) => {
    await dialogs(it)
    ok(await it.count('button', 'Login'), 'there is no form')
  },
}

export const password: UserModel = {
  machine: passwordModel,
  stimuli: passwordModel.events as string[],
  steps,
  observe,
  async begin(it) {
    await causes(it.portal).forgiveSignIns()
    await causes(it.portal).acceptTerms(me)
    await it.go('/import/merchants')
    await signIn(it, me)
  },
}
