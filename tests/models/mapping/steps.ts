import type { Mapping } from '../../../schemas/imports/mapping/mapping.ts'
import { fingerprintOf } from '../../../server/imports/mapping/columnNames.ts'
import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { putMerchants, remember, same } from '../lib/merchants.ts'
import type { UserModel } from '../lib/userModel.ts'
import { emptyTables, nothing, stored } from '../upload/files.ts'
import { success } from '../upload/views.ts'
import { mappingModel, mappingStimuli, type MappingStimulus } from './model.ts'

const filename = 'Model_Nov2026.csv'
const route = 'POST /api/v1/file/compdata'
const guessed = ['MID Code', 'Shop', 'Gross']
const unknown = ['Zeta', 'Shop', 'Gross']
const contentOf = (heading: string[]) => `${heading.join(',')}\r\nM-1,First,30.00\r\nM-2,Second,-4.25\r\n`
const whole = { ...nothing, comp: ['M-1 3000', 'M-2 -425'] }

/**
 * As if a file of this heading had been mapped, the id from its first column and the income from its last.
 */
async function saveMapping({ portal }: Driver, heading: string[]): Promise<void> {
  const of = (name: string) => ({ columns: [{ sheet: '', name, sign: 1 as const }] })
  const sheets = [{ name: '', heading }]
  const mapping: Mapping = { sheets, fields: { xmid: of(heading[0]!), income: of(heading.at(-1)!) } }
  await portal.db.query(
    `insert into import_mapping (kind, processor, fingerprint, mapping, username)
      values ('compdata', 'Model', $1, $2, 'ann')`,
    [fingerprintOf('compdata', sheets), mapping],
  )
}
const forget = async ({ portal }: Driver) => {
  await emptyTables(portal)
  await portal.db.query('delete from import_mapping')
  await portal.db.query('delete from import_batch where filename = $1', [filename])
}
const last = (it: Driver) => it.network.calls(route).at(-1)
/** Presses a button that sends the file, and waits for the answer. */
const sends =
  (button: string, status: number): Step =>
  async (it) => {
    // The message of success is seen before its five seconds are over, however slow the machine.
    await it.freeze()
    const before = it.network.calls(route).length
    await it.press(button)
    await it.eventually(() => {
      same(it.network.calls(route).length, before + 1, 'uploads')
      ok(last(it)?.status !== null, 'the upload is not answered')
    })
    same(last(it)!.status, status, 'the answer')
  }
const submits =
  (heading: string[], saved?: string[]): Step =>
  async (it) => {
    await forget(it)
    if (saved) await saveMapping(it, saved)
    await it.choose('Select File', { name: filename, content: contentOf(heading) })
    await sends('Submit', 409)(it)
    same(await stored(it.portal), nothing, 'in the database')
  }

const steps: Record<MappingStimulus, Step> = {
  'opens Import Comp Data': async (it) => {
    await remember(it, 'staff')
    await it.go('/import/compensation')
  },
  'submits a file whose columns can be guessed': submits(guessed),
  'submits a file whose id nobody would guess': submits(unknown),
  'submits a file with a renamed column': submits(guessed, ['MID Code', 'Shop', 'Takings']),
  'submits a file without a column it had': submits(unknown, ['Old', ...unknown]),
  'picks a column for the names': async (it) => {
    await it.pick('Column of Expenses', 'Shop')
    await it.pick('Column of Expenses', 'Not in the file')
  },
  'picks the column of the id': async (it) => {
    const first = (await it.texts('option')).find((text) => text === guessed[0] || text === unknown[0])
    await it.pick('Column of MID', first!)
  },
  'takes the column of the id away': (it) => it.pick('Column of MID', 'Not in the file'),
  'uses these columns': sends('Use these columns', 200),
  accepts: sends('Accept', 200),
  'presses Change columns': (it) => it.press('Change columns'),
  'presses Cancel': (it) => it.press('Cancel'),
}

const question = 'Which columns are these?'
const changed = 'The columns have changed'
type Look = { title: string; button: string; isDisabled: boolean; says: string }
/** What the step shows, and that nothing was stored. */
const looks =
  ({ title, button, isDisabled, says }: Look): Step =>
  async (it) => {
    same(await it.count('region', title), 1, title)
    same((await it.state('button', button)).disabled, isDisabled, `${button} is disabled`)
    ok(await it.shows(says), `'${says}' is not shown`)
    same(await stored(it.portal), nothing, 'in the database')
  }
const noStep = async (it: Driver) => {
  const regions = [await it.count('region', question), await it.count('region', changed)]
  same(regions, [0, 0], 'the step')
}
const missing = 'MID is required: choose its column.'

const observe: Record<string, Step> = {
  'nobody is there': async (it) => same(it.network.log.length, 0, 'calls'),
  'nothing chosen': async (it) => {
    await noStep(it)
    same(await it.value('File name'), '', 'file name')
    same(await stored(it.portal), nothing, 'in the database')
  },
  'columns chosen': async (it) => {
    await looks({ title: question, button: 'Use these columns', isDisabled: false, says: 'M-1' })(it)
    ok(!(await it.shows(missing)), `'${missing}' is shown`)
  },
  'id missing': looks({ title: question, button: 'Use these columns', isDisabled: true, says: missing }),
  difference: looks({ title: changed, button: 'Accept', isDisabled: false, says: 'Takings → Gross' }),
  'difference with a gap': looks({ title: changed, button: 'Accept', isDisabled: true, says: 'Old' }),
  imported: async (it) => {
    await noStep(it)
    ok((await it.text('status')).includes(success), `'${success}' is not shown`)
    same(await stored(it.portal), whole, 'in the database')
    same(await it.count('region', 'Saved mappings'), 1, 'Saved mappings')
  },
}

export const mapping: UserModel = {
  machine: mappingModel,
  stimuli: mappingStimuli,
  steps,
  observe,
  still: ['imported'],
  async begin(it) {
    await putMerchants(it.portal)
    await forget(it)
  },
}
