import { arrive, dismiss, errorTitle, me, sentenceOf } from '../lib/account.ts'
import { ok, type Step } from '../lib/drivers/driver.ts'
import type { Answer } from '../lib/drivers/network.ts'
import { putMerchants, routes } from '../lib/merchants.ts'
import type { UserModel } from '../lib/userModel.ts'
import { failureModel } from './model.ts'

const sorts =
  (answer: Answer): Step =>
  async (it) => {
    it.network.fault(routes.list, answer)
    await it.press('DBA')
  }
const record = 3

const steps: Record<string, Step> = {
  'sorts, and the server fails': sorts(500),
  'sorts, and no answer comes': sorts('no answer'),
  'opens a record, and no answer comes': async (it) => {
    it.network.hold(routes.list)
    it.network.fault(routes.one('GET', record), 'no answer')
    await it.go(`/manage/merchants?open=${record}`)
  },
  'the list fails as well': async (it) => {
    it.network.fault(routes.list, 500)
    it.network.release(routes.list)
  },
  /** The renewal and the links of the bar interrupt nobody. */
  'reloads, and nothing in the background works': async (it) => {
    const quiet = ['PUT /api/v1/renew', 'GET /api/v1/portal']
    for (const route of quiet) it.network.fault(route, 500)
    const before = it.network.log.length
    await it.reload()
    const answered = () =>
      it.network.log
        .slice(before)
        .filter(({ status }) => status === 500)
        .map(({ route }) => route)
    await it.eventually(() =>
      ok(
        quiet.every((route) => answered().includes(route)),
        'the portal did not ask',
      ),
    )
  },
  dismisses: dismiss,
  'tries again': (it) => it.press('Try again'),
  'tries again, and the server fails': async (it) => {
    it.network.fault(routes.list, 500)
    await it.press('Try again')
  },
}

const message =
  (answer: Answer, others: number): Step =>
  async (it) => {
    const said = await it.text('dialog', errorTitle)
    ok(said.includes(sentenceOf(answer)), `the message says '${said}'`)
    ok(
      said.includes(`Request request-${answer}`) === (answer !== 'no answer'),
      `the id of the request is missing or made up: '${said}'`,
    )
    ok((await it.count('dialog', errorTitle)) === 1, 'there is more than one message')
    ok((await it.count('dialog')) === 1 + others, 'there is another dialog')
    ok((await it.state('button', 'Dismiss', { dialog: errorTitle })).focused, 'Dismiss has no focus')
  }
const none: Step = async (it) => ok(!(await it.count('dialog', errorTitle)), 'there is a message')

const observe: Record<string, Step> = {
  merchants: async (it) => {
    await none(it)
    ok((await it.count('rowheader')) === 10, 'the merchants are not shown')
  },
  message: message(500, 0),
  'message about the connection': message('no answer', 0),
  'message, list awaited': async (it) => {
    ok(
      (await it.text('dialog', errorTitle)).includes(sentenceOf('no answer')),
      'the record is not what failed',
    )
  },
  'newer message': async (it) => {
    const said = await it.text('dialog', errorTitle)
    ok(
      said.includes(sentenceOf(500)) && !said.includes(sentenceOf('no answer')),
      `the message says '${said}'`,
    )
  },
  'list failed': async (it) => {
    await none(it)
    ok(await it.count('button', 'Try again'), 'there is no second try')
  },
  'no message': none,
}

export const failure: UserModel = {
  machine: failureModel,
  stimuli: failureModel.events as string[],
  steps,
  observe,
  async begin(it) {
    await putMerchants(it.portal)
    await arrive(it, me, '/manage/merchants')
  },
}
