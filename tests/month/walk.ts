import type { Page } from 'playwright-core'
import { imports } from '../../schemas/imports/imports.ts'
import type { ColumnRef, FieldSource } from '../../schemas/imports/mapping/mapping.ts'
import { processors, type Book, type Processor } from './book.ts'
import type { Clicks } from './clicks.ts'
import { monthText, type Layout, type MonthFile } from './draft.ts'
import { password, totalOf, type Person } from './monthPortal.ts'

export type Layouts = Readonly<Record<Processor, Layout>>

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

/** Signs in as a person does; the field of the user name has the focus. */
export async function signIn(page: Page, clicks: Clicks, origin: string, who: Person) {
  await page.goto(origin)
  await page.getByLabel('Username').waitFor()
  await clicks.type(page.getByLabel('Username'), who)
  await page.keyboard.press('Tab')
  await clicks.type(page.getByLabel('Password'), password)
  await clicks.enter(page)
  await page.getByRole('heading', { name: 'Month', level: 1, exact: true }).waitFor()
}

export async function chooseMonth(page: Page, clicks: Clicks, month: string) {
  const list = page.getByLabel('Month', { exact: true })
  await list.waitFor()
  if ((await list.inputValue()) !== month) await clicks.choose(list, month)
  await settled(page)
}

/**
 * For what processes of the portal do, which a busy machine starts slowly: the time of the test is the only
 * limit.
 */
const unlimited = { timeout: 0 }

/** Waits until nothing is under way on the screen of the month. */
const settled = (page: Page) =>
  page.waitForFunction(
    () =>
      !document.querySelector(
        '.inbox-progress, .month-body[aria-busy=true], .inbox-loading, .payout-loading, .bp6-spinner',
      ) && document.querySelector('.month-body'),
    undefined,
    unlimited,
  )

/** What is asked at this moment: the file and its question; '' when nothing is. */
const asked = (page: Page) =>
  page.evaluate(() => {
    const question = document.querySelector('.mapping-step, .import-asks, .inbox-question')
    return question ? (question.closest('.inbox-file')?.textContent ?? '') : ''
  })

const keyOf = ({ sheet, name }: ColumnRef) => JSON.stringify([sheet, name])

/** Sets one field of the mapping step to what it should be; touches nothing that is right already. */
async function mapField(page: Page, clicks: Clicks, head: string, wanted: FieldSource | undefined) {
  const field = page.getByRole('group', { name: head, exact: true })
  if ((await field.count()) === 0) {
    if (!wanted) return
    await clicks.click(button(page, /^Show \d+ more/))
  }
  const columns = wanted && 'columns' in wanted ? wanted.columns : []
  const list = (at: number) =>
    field.getByLabel(at === 0 ? `Column of ${head}` : `Column ${at + 1} of ${head}`, { exact: true })
  const chosen = await field
    .locator('select[aria-label^="Column "]')
    .evaluateAll((all) => all.map((it) => (it as HTMLSelectElement).value).filter((value) => value !== ''))
  // The order of columns that are added up is of no matter.
  const isRight = columns.length > 1 && columns.map(keyOf).sort().join() === chosen.sort().join()
  for (const [at, column] of isRight ? [] : columns.entries()) {
    if ((await list(at).count()) === 0) await clicks.click(button(page, `Add a column to ${head}`))
    if ((await list(at).inputValue()) !== keyOf(column)) await clicks.choose(list(at), keyOf(column))
    const sign = field.locator('.mapping-sign select').nth(at)
    if (column.sign < 0 && (await sign.inputValue()) !== '-1') await clicks.choose(sign, '-1')
  }
  if (columns.length === 0 && (await list(0).inputValue()) !== '') await clicks.choose(list(0), '')
  if (wanted && 'columns' in wanted && wanted.pad)
    await clicks.type(page.getByLabel(`Digits of ${head}`), String(wanted.pad))
}

async function answerOne(page: Page, clicks: Clicks, month: string, layouts: Layouts) {
  const step = page.locator('.mapping-step')
  if ((await step.count()) === 0) return clicks.click(page.locator('.import-asks [type=submit]'))
  if ((await button(page, 'Accept').count()) > 0) return clicks.click(button(page, 'Accept'))
  const text = await step.evaluate((element) => element.closest('.inbox-file')?.textContent ?? '')
  const layout = Object.values(layouts).find(({ filename }) => text.includes(filename(month)))!
  for (const { name } of layout.sheets.slice(layout.sheets.length > 1 ? 0 : 1)) {
    const box = step.getByRole('checkbox', { name: new RegExp(`^${name} `) })
    if (!(await box.isChecked())) await clicks.click(step.getByText(new RegExp(`^${name} \\(`)))
  }
  for (const { head, field } of imports.compdata.columns)
    await mapField(page, clicks, head, layout.fields?.[field])
  return clicks.click(button(page, 'Use these columns'))
}

const payload = ({ filename, content }: MonthFile) => ({
  name: filename,
  mimeType: 'application/octet-stream',
  buffer: content,
})

/** Adds the files of a month, all at once. */
export async function addFiles(page: Page, clicks: Clicks, files: MonthFile[]) {
  await clicks.files(page.locator('.inbox input[type=file]'), files.map(payload))
  await page.waitForFunction(
    (count) => document.querySelectorAll('.inbox-file').length === count,
    files.length,
    unlimited,
  )
  await settled(page)
}

/** Answers what is asked, until all files are ready; `onMapping` is called when columns are to be chosen. */
export async function answerAll(
  page: Page,
  clicks: Clicks,
  { month, layouts, onMapping }: { month: string; layouts: Layouts; onMapping: () => Promise<void> },
) {
  const all = button(page, `Import all ready (${processors.length})`)
  while ((await all.count()) === 0) {
    const question = await asked(page)
    if (question === '') throw new Error(`Nothing is asked: ${await page.locator('.inbox').innerText()}`)
    if ((await page.locator('.mapping-step').count()) > 0) await onMapping()
    await answerOne(page, clicks, month, layouts)
    await settled(page)
    await page.waitForFunction((before) => {
      const open = document.querySelector('.mapping-step, .import-asks, .inbox-question')
      return (open ? (open.closest('.inbox-file')?.textContent ?? '') : '') !== before
    }, question)
  }
}

export async function importAll(page: Page, clicks: Clicks) {
  await clicks.click(button(page, `Import all ready (${processors.length})`))
  await page.getByText(`${processors.length} files were imported.`).waitFor()
  await settled(page)
}

/** Types the totals of the processors' statements, one after the other with Tab. */
export async function typeTotals(page: Page, clicks: Clicks, book: Book, month: string) {
  for (const [at, processor] of processors.entries()) {
    const field = page.getByLabel(`Stated Net of ${processor}`, { exact: true })
    const isNext = () => field.evaluate((element) => element === document.activeElement)
    for (let tabs = 0; at > 0 && tabs < 6 && !(await isNext()); tabs++) await page.keyboard.press('Tab')
    await clicks.type(field, totalOf(book, month, processor).toFixed(2))
  }
  await clicks.enter(page)
  await page.waitForFunction(
    (count) =>
      [...document.querySelectorAll('.month-scroll td')].filter((cell) => cell.textContent === 'None')
        .length === count,
    processors.length,
  )
  await settled(page)
}

const inDialog = (page: Page, name: string) =>
  page.locator('.bp6-dialog').getByRole('button', { name, exact: true })
export async function lockMonth(page: Page, clicks: Clicks, month: string) {
  await clicks.click(button(page, `Lock ${monthText(month)}`))
  await clicks.click(inDialog(page, 'Lock'))
  await page.locator('.bp6-dialog').waitFor({ state: 'detached' })
  await settled(page)
}

export async function payMonth(page: Page, clicks: Clicks) {
  await clicks.click(button(page, 'Approve'))
  await clicks.click(inDialog(page, 'Approve'))
  await page.locator('.bp6-dialog').waitFor({ state: 'detached' })
  await settled(page)
  await clicks.click(button(page, 'Release'))
  await clicks.click(inDialog(page, 'Release'))
  await page.locator('.bp6-dialog').waitFor({ state: 'detached' })
  await settled(page)
}
