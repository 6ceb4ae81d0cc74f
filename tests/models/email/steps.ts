import { calls, givesUp } from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { codeSent, mailOf } from '../lib/mailbox.ts'
import { remember, same } from '../lib/merchants.ts'
import type { UserModel } from '../lib/userModel.ts'
import { emailModel, emailStimuli, type EmailStimulus } from './model.ts'
import { address, dialog, observe, renew, request, verify } from './views.ts'

const me = 'clerk'
const setEmail = ({ db }: Driver['portal'], email: string | null) =>
  db.query('update portal_user set email = $2 where username = $1', [me, email])
const emailOf = async ({ db }: Driver['portal']) =>
  (await db.query<{ email: string | null }>('select email from portal_user where username = $1', [me]))[0]!
    .email

const opens =
  (email: string | null): Step =>
  async (it) => {
    await setEmail(it.portal, email)
    await remember(it, me)
    await it.go('/import/merchants')
  }

/** The code of the email that came last. */
const code = new WeakMap<Driver, string>()
const forgetCodes = ({ db }: Driver['portal']) => db.query('delete from email_code')
const send = async (it: Driver) => {
  await forgetCodes(it.portal)
  await ask(it)
}
const ask = async (it: Driver) => {
  await it.fill('Email', ` ${address} `, { dialog })
  await it.press('Validate', { dialog })
}
const saysOf = async (it: Driver, body: object) =>
  same(JSON.parse(it.network.log.at(-1)!.body), body, 'was sent')

/** The address is stored at once, and the session renewed. */
const renewed = async (it: Driver, answered: Step) => {
  const renewal = await calls(it, renew, () => answered(it))
  ok(renewal.status === 200, 'the session was not renewed')
  same(await emailOf(it.portal), address, 'stored')
}
const submit = async (it: Driver, text = code.get(it)!) => {
  await it.fill('Code', text, { dialog })
  await it.press('Submit', { dialog })
}
const refused = async (it: Driver, status: number, text?: string) => {
  const call = await calls(it, verify, () => submit(it, text))
  same(call.status, status, 'answered')
  same(await emailOf(it.portal), null, 'stored')
}

const steps: Record<EmailStimulus, Step> = {
  'opens the portal with an email': opens(address),
  'opens the portal without one': opens(null),
  'presses Validate': (it) => it.press('Validate'),
  'types half an address': (it) => it.fill('Email', 'clerk@mail', { dialog }),
  'submits an email': async (it) => {
    code.set(it, await codeSent(it, address, () => send(it)))
    await saysOf(it, { email: address })
  },
  'submits an email, and it takes long': async (it) => {
    it.network.hold(request)
    await send(it)
  },
  'submits an email the mail server refuses': async (it) => {
    mailOf(it.portal).refuse.add(address)
    ok((await calls(it, request, () => send(it))).status === 503, 'it was not refused')
    mailOf(it.portal).refuse.clear()
  },
  // From another computer; the limit of a code in 60 s is the user's.
  'submits an email, though a code was sent a moment ago': async (it) => {
    await forgetCodes(it.portal)
    const other = await it.portal.login(me)
    await codeSent(
      it,
      address,
      async () => void (await other.call('POST', request.replace('POST ', ''), { email: address })),
    )
    const { length } = mailOf(it.portal).emails
    const { status } = await calls(it, request, () => ask(it))
    ok(status === 429, `it was not refused: ${status}`)
    same(mailOf(it.portal).emails.length, length, 'emails')
  },
  'submits an email, and no answer comes': async (it) => {
    it.network.fault(request, 'no answer')
    await send(it)
  },
  'the answer comes': async (it) => {
    if ((await it.count('textbox', 'Code')) > 0) return renewed(it, async () => it.network.release(verify))
    code.set(it, await codeSent(it, address, async () => it.network.release(request)))
  },
  'types five digits': (it) => it.fill('Code', '12345', { dialog }),
  // As it is copied from an email.
  'submits the code': (it) =>
    renewed(it, () => submit(it, ` ${code.get(it)!.slice(0, 3)} ${code.get(it)!.slice(3)} `)),
  'submits a wrong code': (it) =>
    refused(it, 422, String((Number(code.get(it)) + 1) % 1_000_000).padStart(6, '0')),
  'submits a code that has expired': async (it) => {
    await it.portal.db.query(`update email_code set sent_at = sent_at - interval '10 minutes'`)
    await refused(it, 422)
  },
  'submits the code, and the server fails': async (it) => {
    it.network.fault(verify, 500)
    await refused(it, 500)
  },
  'submits the code, and it takes long': async (it) => {
    it.network.hold(verify)
    await submit(it)
  },
  'goes back': (it) => it.press('Back', { dialog }),
  closes: (it) => givesUp(it, request, () => it.press('Close', { dialog })),
}

export const email: UserModel = {
  machine: emailModel,
  stimuli: emailStimuli,
  steps,
  observe,
  async begin({ portal }) {
    await forgetCodes(portal)
    await setEmail(portal, null)
  },
}
