import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bookOf } from '../../month/book.ts'
import {
  copyOf,
  emptyPortal,
  expected,
  importMonth,
  payMonth,
  type MonthPortal,
} from '../../month/monthPortal.ts'
import { linesOfMonth, linesOfUpload } from '../../month/observed.ts'
import { faultMonthOf, type PlantedFault } from '../../month/plantedFault.ts'
import { plantedInFiles } from '../../month/plantedInFiles.ts'
import { plantedInMonths } from '../../month/plantedInMonths.ts'
import { sixLayouts } from '../../month/sixLayouts.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 })

const book = bookOf(20_261_123, new Date())
const faultMonth = faultMonthOf(book)
let month: MonthPortal
let usual: string[] = []
/** The month as it should be, in a portal that refuses what is sent to it. */
let refusing: MonthPortal

beforeAll(async () => {
  month = await emptyPortal(book)
  const first = book.months[0]
  await importMonth(month, book, first, sixLayouts, (processor, mapping) => ({
    processor,
    newprocessor: true,
    ...(mapping && { mapping }),
  }))
  await payMonth(month, first)
  for (const later of book.months.slice(1)) {
    await importMonth(month, book, later, sixLayouts, () => undefined)
    if (later !== faultMonth.month) await payMonth(month, later)
  }
  usual = await linesOfMonth(month, faultMonth.month)
  await month.stop()
  refusing = await copyOf(month)
})
afterAll(async () => {
  await refusing.close()
  await month.close()
})

/** So many faults are planted at least. */
const leastPlants = 40
/** No more than so many lines of all plants may be about something else than their faults. */
const mostFalse = 2
/** What is said of every file that ends in its totals. */
const usualWarning = 'warning A row with totals was left out'
/** The lines about something else, each with its fault. */
const falseLines: string[] = []
let compared = 0

function compare({ name, found, about }: PlantedFault, lines: string[]) {
  const wanted = found(faultMonth)
  for (const start of wanted)
    expect(
      lines.filter((line) => line.startsWith(start)).length,
      `${name}: ${start}\n${lines.join('\n')}`,
    ).toBe(1)
  const own = [...wanted, ...about(faultMonth), usualWarning]
  falseLines.push(
    ...lines.filter((line) => !own.some((text) => line.includes(text))).map((line) => `${name}: ${line}`),
  )
  compared += 1
}

const takeBack = async (portal: MonthPortal, processor: string) => {
  const { files } = await expected<{ files: { processor: string; batch: number }[] }>(
    portal.call('ann', 'GET', `/api/v1/month/${faultMonth.month}`),
  )
  const { batch } = files.find((it) => it.processor === processor)!
  await expected(portal.call('ann', 'POST', `/api/v1/file/compdata/${batch}/undo`))
}

test('a month of six processors as it should be has no finding, nothing missing and no unusual change', () => {
  expect(usual).toEqual([])
})

describe('a file that is refused or asked about names the fault and its place', () => {
  test.each(plantedInFiles.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    const sent = await refusing.send(fault.file!(faultMonth)!)
    expect([409, 422]).toContain(sent.status)
    compare(fault, linesOfUpload(sent))
  })
  test('nothing of them is stored', async () => {
    expect(await linesOfMonth(refusing, faultMonth.month)).toEqual([])
  })
})

describe('a fault that is stored is shown by the month, and leads to its record', () => {
  test.each(plantedInMonths.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    const portal = await copyOf(month)
    try {
      if (fault.processor && !fault.afterClean) await takeBack(portal, fault.processor)
      const file = fault.file?.(faultMonth)
      const said = file ? linesOfUpload(await portal.send(file)) : []
      await fault.change?.(portal, faultMonth)
      compare(fault, [...said, ...(await linesOfMonth(portal, faultMonth.month))])
    } finally {
      await portal.close()
    }
  })
})

test('no more than two lines of all those plants are about something else', () => {
  expect(compared).toBe(plantedInFiles.length + plantedInMonths.length)
  expect(compared).toBeGreaterThanOrEqual(leastPlants)
  expect(falseLines.length, falseLines.join('\n')).toBeLessThanOrEqual(mostFalse)
})
