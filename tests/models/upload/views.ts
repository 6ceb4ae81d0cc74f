import { ok, type Driver, type Step } from '../lib/drivers/driver.ts'
import { same } from '../lib/merchants.ts'
import { saysError } from '../lib/steps.ts'

export const success = 'Data Imported Successfully'
export const names = {
  good: 'merchants.csv',
  bad: 'merchants (1).csv',
  cleaned: 'merchants.csv',
  other: 'merchants.pdf',
  faulty: 'faulty merchants.csv',
  volume: 'volume.csv',
  comp: 'residuals.csv',
  unsaid: 'residuals without month.csv',
}

type Look = {
  /** What stands in the file name field. */
  file?: string
  /** Said of the name. */
  fault?: string
  /** What the date field says; absent where there is none. */
  day?: string
  submit?: 'enabled' | 'disabled'
  message?: true
  figures?: readonly string[]
  refused?: readonly (readonly string[])[]
  /** What is being done: said beside the progress. */
  doing?: string
  /** What a preview counts as new, changed, unchanged and rejected, and the values it distinguishes. */
  preview?: { counts: readonly number[]; differences: readonly (readonly string[])[] }
  /** What the portal asks about the file, and whether the answers can be sent. */
  asked?: { sentence: string; continues: 'enabled' | 'disabled' }
  /** Somebody imported the same file before. */
  seen?: true
  /** The file the history begins with. */
  newest?: string
}
const invalidName = 'Invalid file name format'
const offered = `Use “${names.cleaned}”`
const missingDay = 'Date is required'

/** The rows of a table in this region, without its headings, hold these words. */
async function tabled(it: Driver, region: string, expected: readonly (readonly string[])[]) {
  const rows = (await it.texts('row', undefined, region)).slice(1)
  same(rows.length, expected.length, `rows of ${region}`)
  for (const [at, words] of expected.entries())
    for (const word of words)
      ok(rows[at]!.includes(word), `row ${at + 1} of ${region} is '${rows[at]}', without '${word}'`)
}

/** Everything that can be distinguished on an import screen, so that nothing else is there either. */
const looks =
  ({
    file = '',
    fault,
    day,
    submit,
    message,
    figures = [],
    refused = [],
    doing,
    preview,
    asked,
    seen,
    newest,
  }: Look): Step =>
  async (it) => {
    same(await it.value('File name'), file, 'file name')
    const name = await it.state('textbox', 'File name')
    same(name.invalid, fault !== undefined, 'the file name is marked')
    if (fault) ok(name.description.startsWith(fault), `said of the name: ${name.description}`)
    same(await it.count('button', offered), file === names.bad ? 1 : 0, 'a clean name is offered')
    const buttons = submit ? 1 : 0
    same(
      [await it.count('button', 'Submit'), await it.count('button', 'Clear')],
      [buttons, buttons],
      'Submit and Clear',
    )
    same(await it.count('button', 'Preview'), submit && !preview ? 1 : 0, 'Preview')
    if (submit)
      same((await it.state('button', 'Submit')).disabled, submit === 'disabled', 'Submit is disabled')
    if (submit && !preview)
      same((await it.state('button', 'Preview')).disabled, submit === 'disabled', 'Preview is disabled')
    same(await it.count('button', 'Import anyway'), seen ? 1 : 0, 'Import anyway')
    same(
      await it.shows('The same file was imported before by ann on May 4, 2026'),
      seen === true,
      'who imported it before is said',
    )
    same((await it.text('status')).includes(success), message === true, `'${success}' is shown`)
    same(await it.shows('Last import'), figures.length > 0, 'the figures are shown')
    for (const figure of figures) ok(await it.shows(figure), `'${figure}' is missing`)
    same((await it.state('button', 'Select File')).disabled, doing !== undefined, 'Select File is disabled')
    same(
      [await it.count('progressbar', 'Progress'), await it.count('button', 'Cancel')],
      doing ? [1, 1] : [0, 0],
      'progress and Cancel',
    )
    if (doing) ok(await it.shows(doing), `'${doing}' is not said`)
    same(
      await it.count('region', 'What is wrong in the file'),
      refused.length > 0 ? 1 : 0,
      'a list of faults',
    )
    if (refused.length > 0) await tabled(it, 'Faults', refused)
    same(await it.count('button', 'Continue'), asked ? 1 : 0, 'Continue')
    if (asked) {
      ok(await it.shows(asked.sentence), `'${asked.sentence}' is not said`)
      same(
        (await it.state('button', 'Continue')).disabled,
        asked.continues === 'disabled',
        'Continue is disabled',
      )
    }
    same(await it.count('region', 'Preview'), preview ? 1 : 0, 'a preview')
    const counts = preview?.counts.map(
      (count, at) => `${['New', 'Changed', 'Unchanged', 'Rejected'][at]}${count}`,
    )
    if (counts)
      same(
        (await it.text('region', 'Preview')).includes(counts.join('')),
        true,
        `${counts.join(', ')} is previewed`,
      )
    same(
      await it.count('region', 'Differences'),
      preview?.differences.length ? 1 : 0,
      'a list of differences',
    )
    if (preview?.differences.length) await tabled(it, 'Differences', preview.differences)
    if (newest)
      ok(
        (await it.texts('row', undefined, 'Imported files'))[1]!.includes(newest),
        `the history does not begin with ${newest}`,
      )
    same(await it.count('button', 'Choose the date'), day === undefined ? 0 : 1, 'a calendar')
    if (day !== undefined) {
      same(await it.value('Date'), day, 'date')
      same(await it.shows(missingDay), file !== '' && day === '', `'${missingDay}' is said`)
    }
    ok(!(await it.count('dialog')), 'a dialog is open')
  }
const day = '05/04/2026'
const refused = [
  ['2', 'XMID', '1.23E+15'],
  ['3', 'Master Agent', 'Nobody', 'Master Agent Nobody is not known'],
]
const figures = ['2 rows read: 1 added, 1 changed, 0 as they were.']
const volume = ['2 rows read: 2 added, 0 changed, 0 as they were.', '$200.50']
const differences = [['3', '40000000001', 'DBA', 'Bakery 01', 'Bakery One']]
const chosen = { file: names.good, submit: 'enabled' } as const

const withoutMonth = { file: names.unsaid, submit: 'disabled' } as const
const asked = (continues: 'enabled' | 'disabled') => ({
  sentence: 'It does not say of which month it is. Its processor is Model.',
  continues,
})
const previewedFaults = {
  ...chosen,
  file: names.faulty,
  refused,
  preview: { counts: [0, 0, 0, 2], differences: [] },
}
/** The last file that was saved: its name, how it begins, and what else it holds. */
const saved =
  (name: RegExp, begin: string, ...words: string[]): Step =>
  async (it) => {
    const file = (await it.saved()).at(-1)
    ok(file, 'nothing was saved')
    ok(name.test(file.name), `it was saved as ${file.name}`)
    ok(file.content.replace(/^\uFEFF/, '').startsWith(begin), `it begins with ${file.content.slice(0, 40)}`)
    for (const word of words) ok(file.content.includes(word), `it holds no ${word}`)
  }
const both =
  (one: Step, other: Step): Step =>
  async (it) => {
    await one(it)
    await other(it)
  }

export const observe: Record<string, Step> = {
  'nobody is there': async (it) => same(it.network.log.length, 0, 'calls'),
  'nothing chosen': looks({}),
  file: looks(chosen),
  'badly named file': looks({ file: names.bad, fault: invalidName, submit: 'disabled' }),
  'renamed file': looks({ ...chosen, file: names.cleaned }),
  'file of another kind': looks({ file: names.other, fault: invalidName, submit: 'disabled' }),
  'faulty file': looks({ ...chosen, file: names.faulty }),
  'refused file': looks({ ...chosen, file: names.faulty, refused }),
  'message that the server failed': saysError('Answered 500 by the test'),
  'file seen before': looks({ ...chosen, seen: true }),
  'previewed file': looks({ ...chosen, preview: { counts: [1, 1, 0, 0], differences } }),
  'previewed file, seen before': looks({
    ...chosen,
    seen: true,
    preview: { counts: [1, 1, 0, 0], differences },
  }),
  'previewed faults': looks(previewedFaults),
  uploading: looks({ file: names.good, doing: 'Uploading, 0 %' }),
  'server at work': looks({ file: names.good, doing: 'Reading the file' }),
  'rows counted': looks({ file: names.good, doing: 'Checking the rows, 0 of 2 rows' }),
  imported: looks({ message: true, figures, newest: 'merchants' }),
  'figures alone': looks({ figures }),
  volume: looks({ day: '' }),
  'volume, day': looks({ day }),
  'volume, file': looks({ file: names.volume, day: '', submit: 'disabled' }),
  'volume, file and day': looks({ file: names.volume, day, submit: 'enabled' }),
  'volume, previewed': looks({
    file: names.volume,
    day,
    submit: 'enabled',
    preview: { counts: [2, 0, 0, 0], differences: [] },
  }),
  'volume, imported': looks({ day: '', message: true, figures: volume, newest: names.volume }),
  'volume, imported, next day': looks({ day, message: true, figures: volume }),
  'volume, figures alone': looks({ day: '', figures: volume }),
  'volume, figures and day': looks({ day, figures: volume }),
  'saved fix file': both(
    looks(previewedFaults),
    saved(/faulty.*\.csv$/, 'XMID,DBA,Master Agent,Reason', 'Nobody'),
  ),
  'message that there is none': saysError('Answered 422 by the test'),
  'comp data': looks({}),
  'comp data, saved template': both(looks({}), saved(/template\.csv$/, 'MID,DBA,Month,Processor')),
  'comp data, file': looks({ file: names.comp, submit: 'enabled' }),
  'comp data, previewed': looks({
    file: names.comp,
    submit: 'enabled',
    preview: { counts: [2, 0, 0, 0], differences: [] },
  }),
  'message that the month is locked': saysError('November 2026 is locked: ann locked it on'),
  'comp data, imported': looks({
    message: true,
    figures: ['2 rows read: 2 added, 0 changed, 0 as they were.', '$15.25'],
    newest: 'residuals',
  }),
  'comp data, file without month': looks({ file: names.unsaid, submit: 'enabled' }),
  'comp data, asked for a preview': looks({ ...withoutMonth, asked: asked('disabled') }),
  'comp data, asked for an import': looks({ ...withoutMonth, asked: asked('disabled') }),
  'comp data, month picked for a preview': looks({ ...withoutMonth, asked: asked('enabled') }),
  'comp data, month picked for an import': looks({ ...withoutMonth, asked: asked('enabled') }),
  'comp data, previewed without month': looks({
    file: names.unsaid,
    submit: 'enabled',
    preview: { counts: [2, 0, 0, 0], differences: [] },
  }),
}
