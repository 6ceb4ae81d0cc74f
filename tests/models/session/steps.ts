import {
  calls,
  causes,
  dismiss,
  errorTitle,
  holdInboxCount,
  isAlive,
  latestTerms,
  logOut,
  me,
  sentenceOf,
  signIn,
  somebodyElse,
  stored,
} from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import type { Answer, Seen } from '../lib/drivers/network.ts'
import { validateAgain } from '../lib/mailbox.ts'
import type { UserModel } from '../lib/userModel.ts'
import { sessionModel } from './model.ts'
import { observe } from './views.ts'

const renew = 'PUT /api/v1/renew'
const list = 'GET /api/v1/merchant'
const accept = 'POST /api/v1/tc/accept'
const text = 'GET /api/v1/tc/latest'

/** The tab beside, in which somebody else reads the terms. */
const beside = new WeakMap<Driver, Driver>()

const says = (it: Driver, sentence: string) =>
  it.eventually(async () =>
    ok(
      (await it.text('alert')).includes(sentence),
      `'${sentence}' is not said, but '${await it.text('alert')}'`,
    ),
  )

const enters =
  (sentence: string, prepare: Step, password?: string): Step =>
  async (it) => {
    await prepare(it)
    await signIn(it, me, password)
    await says(it, sentence)
    await causes(it.portal).forgiveSignIns()
  }
const fails =
  (route: string, answer: Answer): Step =>
  async (it) =>
    it.network.fault(route, answer)
const nothing: Step = async () => {}
const termsChange: Step = async (it) => void (await causes(it.portal).changeTerms())
const sessionEnds: Step = async (it) =>
  void (await causes(it.portal).endSessions((await stored(it))?.username ?? me))

/**
 * The month, where a user of this kind begins, asks for the inbox every few seconds: it would meet what the
 * server changes before the call that the step is about.
 */
async function opensQuietScreen(it: Driver) {
  if (it.url().startsWith('/manage/merchants')) return
  await it.press('Manage')
  await calls(it, list, () => it.press('Merchants', { role: 'menuitem' }))
}

/** Not a millisecond before 300000, and with the token of the session. */
const waits =
  (prepare: Step): Step =>
  async (it) => {
    await opensQuietScreen(it)
    await prepare(it)
    const { access_token } = (await stored(it))!
    const before = it.network.calls(renew).length
    await it.elapse(300_000, 1)
    ok(it.network.calls(renew).length === before, 'renewed too early')
    const call = await calls(it, renew, () => it.pass(1))
    ok(call.bearer === access_token, 'renewed without the token of the session')
    await it.thaw()
  }

/** Sorts the merchants. */
const loads =
  (prepare: Step): Step =>
  async (it) => {
    await opensQuietScreen(it)
    await prepare(it)
    const { access_token } = (await stored(it))!
    const call = await calls(it, list, () => it.press('DBA'))
    ok(call.bearer === access_token, 'data were asked for without the token of the session')
  }

const saysInDialog =
  (action: Step, answer: Answer): Step =>
  async (it) => {
    await action(it)
    const sentence = sentenceOf(answer)
    await it.eventually(async () =>
      ok((await it.text('dialog', errorTitle)).includes(sentence), `'${sentence}' is not said`),
    )
  }

/** The token that was in use is sent to its end, and the server no longer honours it. */
const leaves =
  (action: Step): Step =>
  async (it) => {
    const token = (it.network.log.findLast(({ bearer }) => bearer !== null) as Seen).bearer!
    const call = await calls(it, 'PUT /api/v1/logout', () => action(it))
    ok(call.bearer === token, 'the token was not sent to its end')
    await it.eventually(async () =>
      ok(!(await isAlive(it.portal, token)), 'the server still honours the token'),
    )
  }

/** Agree or Accept: the server stores it, and the session goes on. */
const accepts: Step = async (it) => {
  const call = await calls(it, renew, async () => {
    const { bearer } = await calls(it, accept, () => presses(it))
    ok(bearer, 'accepted without a token')
  })
  ok(call.status === 200, 'the session was not renewed')
}
const presses: Step = (it) => it.press(/^(Agree|Accept)$/)

/**
 * In a tab of its own, which is closed again; `renewal` is what was answered when it opened with a stored
 * session: 428, or 0 when the 428 of a screen's call came first and ended the renewal.
 */
const inAnotherTab =
  (path: '/' | '/login', action: (other: Driver, renewal: number | null) => Promise<void>): Step =>
  async (it) => {
    const open = async () => void (other = await it.tab(path))
    let other = it
    if (path === '/') {
      const { status } = await calls(it, renew, open)
      await action(other, status)
    } else {
      await open()
      await action(other, null)
    }
    await other.eventually(() => ok(it.network.isIdle(), 'a call of the other tab is under way'))
    await other.close()
  }
/** One renewal serves both: this tab begins to wait anew. */
const othersRenew: Step = async (it) => {
  await it.elapse(300_000, 100_000)
  await it.thaw()
  const began = await it.begun(300_000)
  await inAnotherTab('/', (other) =>
    other.eventually(async () => ok(await other.count('button', `Welcome, ${me}`), 'not in')),
  )(it)
  // The browser passes on what the other tab stored when it gets to it.
  await it.eventually(async () =>
    ok((await it.begun(300_000)) !== began, 'this tab does not begin to wait anew'),
  )
  const before = it.network.calls(renew).length
  await it.elapse(300_000, 1)
  ok(it.network.calls(renew).length === before, 'renewed by both tabs')
  await calls(it, renew, () => it.pass(1))
  await it.thaw()
}

const steps: Record<string, Step> = {
  // Renewed on load, which shows the card, and once more at once.
  'validates an email': async (it) => {
    const before = it.network.calls(renew).length
    await validateAgain(it, me)
    ok(it.network.calls(renew).length === before + 2, 'not renewed at once')
  },
  'signs in: ok': async (it) => {
    await causes(it.portal).acceptTerms(me)
    await signIn(it, me)
  },
  'signs in: terms open': async (it) => {
    await causes(it.portal).openTerms(me)
    await signIn(it, me)
  },
  'signs in: terms open, signed out meanwhile': async (it) => {
    await causes(it.portal).openTerms(me)
    it.network.hold(text)
    await signIn(it, me)
    await it.eventually(() =>
      ok(it.network.calls(text).at(-1)?.status === null, 'the terms are not asked for'),
    )
    await causes(it.portal).endSessions(me)
    it.network.release(text)
  },
  'signs in: wrong password': enters('Invalid Username or Password', nothing, 'not the password'),
  'signs in: too many attempts': enters(
    'Too many failed sign-ins. Please try again in 15 minutes.',
    async (it) => {
      await causes(it.portal).failSignIns(me)
    },
  ),
  'signs in: server fails': enters(sentenceOf(500), fails('PUT /api/v1/login', 500)),
  'signs in: no answer': enters(sentenceOf('no answer'), fails('PUT /api/v1/login', 'no answer')),

  'accepts: ok': accepts,
  'accepts: server fails': async (it) => {
    it.network.fault(accept, 500)
    await saysInDialog(async () => void (await calls(it, accept, () => presses(it))), 500)(it)
  },
  'accepts: signed out meanwhile': async (it) => {
    await causes(it.portal).endSessions(me)
    await calls(it, accept, () => presses(it))
  },
  declines: leaves((it) => it.press('Cancel')),
  dismisses: dismiss,

  'waits 300000 ms: ok': waits(nothing),
  'waits 300000 ms: signed out meanwhile': waits(sessionEnds),
  'waits 300000 ms: terms changed': waits(termsChange),
  'waits 300000 ms: server fails': waits(fails(renew, 500)),
  'waits 300000 ms: no answer': waits(fails(renew, 'no answer')),
  'waits 300000 ms: nothing is sent': async (it) => {
    const before = it.network.log.length
    await it.freeze()
    await it.pass(300_001)
    ok(it.network.log.length === before, 'something was sent')
    await it.thaw()
  },

  'loads data: ok': loads(nothing),
  'loads data: signed out meanwhile': loads(sessionEnds),
  'loads data: terms changed': loads(termsChange),
  'loads data: terms changed, signed out meanwhile': async (it) => {
    it.network.hold(text)
    await loads(termsChange)(it)
    await it.eventually(() =>
      ok(it.network.calls(text).at(-1)?.status === null, 'the terms are not asked for'),
    )
    await sessionEnds(it)
    it.network.release(text)
  },
  'loads data: server fails': saysInDialog(loads(fails(list, 500)), 500),
  'loads data: no answer': saysInDialog(loads(fails(list, 'no answer')), 'no answer'),

  'logs out': leaves(async (it) => logOut(it, (await stored(it))!.username)),
  'reloads the page': (it) => it.reload(),
  'reloads the page: signed out meanwhile': async (it) => {
    await sessionEnds(it)
    await it.reload()
  },
  'reloads the page: terms changed': async (it) => {
    await termsChange(it)
    await it.reload()
  },
  'reloads the page: server fails': async (it) => {
    it.network.fault(renew, 500)
    await calls(it, renew, () => it.reload())
  },

  'another tab signs in': inAnotherTab('/login', async (other) => {
    await causes(other.portal).acceptTerms(me)
    await signIn(other, me)
    await other.eventually(async () => ok(await other.count('button', `Welcome, ${me}`), 'not in'))
  }),
  'another tab renews': othersRenew,
  'another tab logs out': inAnotherTab('/', (other, renewal) =>
    leaves((tab) => (renewal === 200 ? logOut(tab, me) : tab.press('Cancel')))(other),
  ),
  'another tab accepts': inAnotherTab('/', accepts),
  'another tab shows somebody else the terms': async (it) => {
    await causes(it.portal).openTerms(somebodyElse)
    const other = await it.tab('/login')
    await signIn(other, somebodyElse)
    await other.eventually(async () => ok(await other.count('button', 'Accept'), 'no terms'))
    beside.set(it, other)
  },
  'somebody else accepts in the other tab': async (it) => {
    const other = beside.get(it)!
    const inForce = await latestTerms(it.portal)
    if ((await other.value('Terms and Conditions')) !== inForce) {
      // The terms changed while they were read: the former text is refused, and the one in force is shown.
      await calls(other, accept, () => presses(other))
      await dismiss(other)
      const status = other.network.calls(accept).at(-1)?.status
      ok(status === 409, `a text that is no longer in force was accepted: ${status}`)
      await other.eventually(async () =>
        ok((await other.value('Terms and Conditions')) === inForce, 'the text in force is not shown'),
      )
    }
    await accepts(other)
    await other.close()
  },
}

export const session: UserModel = {
  machine: sessionModel,
  stimuli: sessionModel.events as string[],
  steps,
  observe,
  async begin(it) {
    holdInboxCount(it)
    await causes(it.portal).forgiveSignIns()
    await it.go('/manage/merchants')
  },
}
