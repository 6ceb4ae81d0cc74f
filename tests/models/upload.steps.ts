import { ok, type Driver } from './driver.ts'
import { putMerchants, remember, same } from './merchants.ts'
import { uploadModel, uploadStimuli, type UploadStimulus } from './upload.model.ts'
import { errorTitle, names, observe, success } from './upload.views.ts'
import type { UserModel } from './suite.ts'

type Deed = (it: Driver) => Promise<void>
const merchants = 'XMID,DBA,Master Agent\r\n49980000001,First Shop,MA0002\r\n49980000002,Second Shop,MA0002\r\n'
const faulty = 'XMID,DBA,Master Agent\r\n1.23E+15,First Shop,MA0002\r\n49980000002,Second Shop,Nobody\r\n'
const volume = 'MID,Sales Amount\r\n40000000001,120.50\r\n40000000002,80.00\r\n'
const day = '2026-05-04'
const at = { merchants: '/import/merchants', volume: '/import/volume' }
const routes = { [at.merchants]: 'POST /api/v1/file/merchant', [at.volume]: 'POST /api/v1/file/dailyvolume' }
const route = (it: Driver) => routes[it.url()] ?? ''

const opens = (path: string): Deed => async (it) => {
  await remember(it, 'staff')
  await it.go(path)
}
const chooses = (name: string, content: string): Deed => (it) => it.choose('Select File', { name, content })

const emptyTables = async ({ db }: Driver['world']) => {
  await db.query(`delete from merchant where xmid like '4998%'`)
  await db.query('delete from daily_volume where volumedate = $1::date', [day])
}
/** What the database holds of the files, whichever screen it came by. */
const stored = async ({ db }: Driver['world']) => ({
  merchants: (await db.query(`select xmid, dba, masteragentid from merchant where xmid like '4998%' order by xmid`)).map((row) => Object.values(row).join(' ')),
  volume: (await db.query<{ xmid: string; cents: number }>('select xmid, (salesamount * 100)::int as cents from daily_volume where volumedate = $1::date order by xmid', [day])).map(
    (row) => `${row.xmid} ${row.cents}`,
  ),
})
const nothing = { merchants: [], volume: [] }
const wholeFile = (it: Driver) =>
  it.url() === at.merchants
    ? { ...nothing, merchants: ['49980000001 First Shop 2', '49980000002 Second Shop 2'] }
    : { ...nothing, volume: ['40000000001 12050', '40000000002 8000'] }

const submit: Deed = async (it) => {
  await emptyTables(it.world)
  // The message is seen before its five seconds are over, however slow the machine.
  await it.freeze()
  const before = it.network.calls(route(it)).length
  await it.press('Submit')
  await it.eventually(() => same(it.network.calls(route(it)).length, before + 1, 'uploads'))
}
const answered: Deed = async (it) => {
  await it.eventually(() => ok(it.network.calls(route(it)).at(-1)?.status !== null, 'the upload is not answered'))
  const { status } = it.network.calls(route(it)).at(-1)!
  same(await stored(it.world), status === 200 ? wholeFile(it) : nothing, 'in the database')
}

const steps: Record<UploadStimulus, Deed> = {
  'opens Import Merchants': opens(at.merchants),
  'opens Import Daily Volume': opens(at.volume),
  'chooses a file': (it) => (it.url() === at.volume ? chooses(names.volume, volume) : chooses(names.good, merchants))(it),
  'chooses a badly named file': chooses(names.bad, merchants),
  'chooses a file of another kind': chooses(names.other, merchants),
  'chooses a faulty file': chooses(names.faulty, faulty),
  'takes the name offered': (it) => it.press(`Use “${names.cleaned}”`),
  clears: (it) => it.press('Clear'),
  submits: async (it) => {
    await submit(it)
    await answered(it)
  },
  'submits, and it takes long': async (it) => {
    it.network.hold(route(it))
    await submit(it)
    await it.eventually(() => ok(it.network.calls(route(it)).at(-1)?.status === null, 'nothing is being uploaded'))
  },
  'submits, and the server fails': async (it) => {
    it.network.fault(route(it), 500)
    await submit(it)
    await answered(it)
  },
  'the answer comes': async (it) => {
    await it.freeze()
    it.network.release(route(it))
    await answered(it)
  },
  'presses Cancel': async (it) => {
    await it.press('Cancel')
    it.network.release(route(it))
    await it.eventually(() => same(it.network.calls(route(it)).at(-1)?.status, 0, 'the answer of a cancelled upload'))
    same(await stored(it.world), nothing, 'in the database')
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
  still: ['imported', 'volume, imported', 'volume, imported, next day'],
  async begin({ world }) {
    await putMerchants(world)
    await emptyTables(world)
  },
}
