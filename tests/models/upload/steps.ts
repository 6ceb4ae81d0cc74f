import { errorTitle } from '../lib/account.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { putMerchants, remember, same } from '../lib/merchants.ts'
import type { UserModel } from '../lib/userModel.ts'
import {
  contents,
  day,
  emptyTables,
  holdImports,
  importedByAnn,
  lockMonth,
  nothing,
  releaseImports,
  stored,
  whole,
} from './files.ts'
import { uploadModel, uploadStimuli, type UploadStimulus } from './model.ts'
import { names, observe, success } from './views.ts'

const at = { merchants: '/import/merchants', volume: '/import/volume', comp: '/import/compensation' }
const screens: Record<
  string,
  { kind: string; name: string; content: string; stored: Awaited<ReturnType<typeof stored>> }
> = {
  [at.merchants]: {
    kind: 'merchant',
    name: names.good,
    content: contents.merchants,
    stored: whole.merchants,
  },
  [at.volume]: { kind: 'dailyvolume', name: names.volume, content: contents.volume, stored: whole.volume },
  [at.comp]: { kind: 'compdata', name: names.comp, content: contents.comp, stored: whole.comp },
}
const screenOf = (it: Driver) => screens[it.url()] ?? screens[at.merchants]!
const route = (it: Driver) => `POST /api/v1/file/${screenOf(it).kind}`
const last = (it: Driver) => it.network.calls(route(it)).at(-1)

const opens =
  (path: string): Step =>
  async (it) => {
    await remember(it, 'staff')
    await it.go(path)
  }
const chooses =
  (name: string, content: string): Step =>
  (it) =>
    it.choose('Select File', { name, content })

const sends =
  (button: string): Step =>
  async (it) => {
    // The message is seen before its five seconds are over, however slow the machine.
    await it.freeze()
    const before = it.network.calls(route(it)).length
    await it.press(button)
    await it.eventually(() => same(it.network.calls(route(it)).length, before + 1, 'uploads'))
  }
const submit: Step = async (it) => {
  await emptyTables(it.portal)
  await sends('Submit')(it)
}
const answered: Step = async (it) => {
  await it.eventually(() => ok(last(it)?.status !== null, 'the upload is not answered'))
  const isStored = last(it)!.status === 200 && !last(it)!.query.includes('dryrun')
  same(await stored(it.portal), isStored ? screenOf(it).stored : nothing, 'in the database')
}
const asks: Step = async (it) => {
  await sends('Preview')(it)
  await answered(it)
}
const seenBefore =
  (then: Step): Step =>
  async (it) => {
    await emptyTables(it.portal)
    await importedByAnn(it.portal, 'merchant', contents.merchants)
    await then(it)
  }
/** The next question how far the server is. */
const polls: Step = async (it) => {
  await it.elapse(500, 1)
  await it.pass(1)
}
const progressRoute = (it: Driver) =>
  `GET /api/v1/file/merchant/progress/${new URLSearchParams(last(it)!.query).get('job')}`

const steps: Record<UploadStimulus, Step> = {
  'opens Import Merchants': opens(at.merchants),
  'opens Import Daily Volume': opens(at.volume),
  'opens Import Comp Data': opens(at.comp),
  'presses Template (CSV)': (it) => it.press('Template (CSV)'),
  'chooses a file': (it) => chooses(screenOf(it).name, screenOf(it).content)(it),
  'chooses a badly named file': chooses(names.bad, contents.merchants),
  'chooses a file of another kind': chooses(names.other, contents.merchants),
  'chooses a faulty file': chooses(names.faulty, contents.faulty),
  'chooses a file that does not say its month': chooses(names.unsaid, contents.unsaid),
  'picks the month': async (it) => {
    // The clock of the browser may stand at a month that the demo has locked.
    await it.portal.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query('truncate month_lock cascade')
    })
    const [, newest] = await it.texts('option')
    await it.pick('Month', newest!)
  },
  continues: async (it) => {
    await sends('Continue')(it)
    await answered(it)
  },
  'takes the name offered': (it) => it.press(`Use “${names.cleaned}”`),
  clears: (it) => it.press('Clear'),
  submits: async (it) => {
    await submit(it)
    await answered(it)
  },
  'submits, and it takes long': async (it) => {
    it.network.hold(route(it))
    await submit(it)
    await it.eventually(() => ok(last(it)?.status === null, 'nothing is being uploaded'))
  },
  'submits while somebody else imports': async (it) => {
    await holdImports(it.portal)
    await submit(it)
    // It went through and waits at the server.
    it.network.hold(route(it))
  },
  'submits, though ann imported it before': seenBefore(async (it) => {
    await sends('Submit')(it)
    await answered(it)
    same(last(it)!.status, 409, 'the answer')
  }),
  'submits, though ann locked the month': async (it) => {
    await emptyTables(it.portal)
    await lockMonth(it.portal)
    await sends('Submit')(it)
    await answered(it)
  },
  'submits, and the server fails': async (it) => {
    it.network.fault(route(it), 500)
    await submit(it)
    await answered(it)
  },
  'imports anyway': async (it) => {
    await sends('Import anyway')(it)
    await answered(it)
  },
  'asks for a preview': async (it) => {
    await emptyTables(it.portal)
    await asks(it)
  },
  'asks for a preview, though ann imported it before': seenBefore(asks),
  'the answer comes': async (it) => {
    await it.freeze()
    it.network.release(route(it))
    await releaseImports(it.portal)
    await answered(it)
  },
  '500 ms pass while it is sent': async (it) => {
    await polls(it)
    same(
      it.network.log.filter((call) => call.route.includes('/progress/') && call.status === null).length,
      0,
      'questions after the progress',
    )
  },
  '500 ms pass': async (it) => {
    // The server says where it is at most twice a second.
    const rows = () => it.portal.db.query(`select 1 from job_progress where phase = 'checking'`)
    await it.eventually(async () => ok((await rows()).length > 0, 'no progress is told'))
    await polls(it)
  },
  '500 ms pass, and the server fails': async (it) => {
    it.network.fault(progressRoute(it), 500)
    await polls(it)
  },
  'presses Cancel': async (it) => {
    const isGivenUp = () => it.eventually(() => same(last(it)?.status, 0, 'the answer of a cancelled upload'))
    // Without a socket between them the server does not notice that the browser has gone.
    const hasSocket = it.portal.app.server.listening
    await it.press('Cancel')
    if (hasSocket) await isGivenUp()
    it.network.release(route(it))
    await releaseImports(it.portal)
    await isGivenUp()
    if (hasSocket) same(await stored(it.portal), nothing, 'in the database')
  },
  'presses Download fix file': (it) => it.press('Download fix file'),
  'presses Download fix file, and the server refuses': async (it) => {
    it.network.fault(`${route(it)}/rejected`, 422)
    await it.press('Download fix file')
  },
  'dismisses the message': (it) => it.press('Dismiss', { dialog: errorTitle }),
  '5000 ms pass': async (it) => {
    await it.elapse(5_000, 1)
    ok((await it.text('status')).includes(success), `'${success}' is gone at 4999 ms`)
    await it.pass(1)
  },
  'picks a day': (it) => it.fill('Date, typed', day),
  'empties the day': (it) => it.fill('Date, typed', ''),
}

export const upload: UserModel = {
  machine: uploadModel,
  stimuli: uploadStimuli,
  steps,
  observe,
  still: [
    'imported',
    'volume, imported',
    'volume, imported, next day',
    'comp data, imported',
    'server at work',
    'rows counted',
  ],
  async begin({ portal }) {
    await releaseImports(portal)
    await putMerchants(portal)
    await emptyTables(portal)
  },
}
