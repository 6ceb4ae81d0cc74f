import { expect, it, test } from 'vitest'
import type { ProfitDay } from '../../../schemas/api/home.ts'
import { chartOption } from '../../../src/features/home/chartOption.ts'
import { pointsOf, formatReportDate } from '../../../src/features/home/points.ts'

const day = (iso: string, amount: number): ProfitDay => ({
  processdate: Date.parse(`${iso}T00:00:00Z`) / 1000,
  amount,
})
const newestFirst = [day('2026-03-08', 30), day('2026-01-02', 20.5), day('2025-12-31', -10)]
const option = chartOption(pointsOf(newestFirst))
const series = (option.series as { type: string; label: Record<string, unknown>; data: unknown[] }[])[0]!

it('names a point MM-dd-yyyy in UTC and runs in the reverse of the server’s order', () => {
  expect(pointsOf(newestFirst)).toEqual([
    { name: '12-31-2025', value: -10 },
    { name: '01-02-2026', value: 20.5 },
    { name: '03-08-2026', value: 30 },
  ])
  expect(series.data).toMatchObject(pointsOf(newestFirst))
})

type Drawn = { itemStyle?: { color: string } }
/** Of a colour like #2f6fbb, from 0 to 255. */
const brightness = (colour: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return 0.299 * red + 0.587 * green + 0.114 * blue
}

test.each([
  [0, '01-01-1970'],
  [1_767_139_199, '12-30-2025'],
  [1_767_139_200, '12-31-2025'],
])('%i seconds are the UTC day %s', (seconds, name) => {
  expect(formatReportDate(seconds)).toBe(name)
})

it('is a vertical bar chart with the axes Report Date and $ Amount and no legend', () => {
  expect(series.type).toBe('bar')
  expect(option.xAxis).toMatchObject({
    type: 'category',
    name: 'Report Date',
    data: ['12-31-2025', '01-02-2026', '03-08-2026'],
  })
  expect(option.yAxis).toMatchObject({ type: 'value', name: '$ Amount' })
  expect(option).not.toHaveProperty('legend')
})

it('labels its bars in 11 px at 45 degrees, rising to the right, with a padding of 2 horizontal and 5 vertical', () => {
  expect(series.label).toMatchObject({ show: true, rotate: 45, align: 'left', fontSize: 11, padding: [5, 2] })
})

test.each<[string, number[], string[]]>([
  ['bars that fall', [3, 2, 1], ['0%', '0%', '0%']],
  ['a higher bar beside', [1, 3, 1], ['-200%', '0%', '0%']],
  ['a higher bar after the next', [2, 1, 3], ['-50%', '-200%', '0%']],
  ['a higher bar farther away', [1, 1, 1, 9], ['0%', '-800%', '-800%', '0%']],
  ['a higher bar before', [9, 1], ['0%', '0%']],
  ['a loss beside a gain', [-2, 4], ['-200%', '0%']],
  ['a loss beside a loss', [-2, -4], ['0%', '0%']],
])('lifts each label above the bars it rises over: of %s', (_, values, lifted) => {
  const points = values.map((value, at) => ({ name: `01-0${at + 1}-2026`, value }))
  const [drawn] = chartOption(points).series as { data: { label: { position: string[] } }[] }[]
  expect(drawn!.data.map(({ label }) => label.position.map((part) => part.replace(/^-0%$/, '0%')))).toEqual(
    lifted.map((part) => ['50%', part]),
  )
})

it('leaves out the label of a day without dollars that would lie over the bar beside it', () => {
  const points = [0, 5, 0, 0].map((value, at) => ({ name: `01-0${at + 1}-2026`, value }))
  const [drawn] = chartOption(points).series as { data: { label: { show?: boolean } }[] }[]
  expect(drawn!.data.map(({ label }) => label.show ?? true)).toEqual([false, true, true, true])
})

it('draws Saturdays and Sundays in a colour of their own', () => {
  const points = Array.from({ length: 8 }, (_, at) => ({ name: `01-0${at + 1}-2026`, value: 1 }))
  const [drawn] = chartOption(points).series as { data: { itemStyle?: object }[] }[]
  // 1 January 2026 is a Thursday.
  expect(drawn!.data.map(({ itemStyle }) => itemStyle !== undefined)).toEqual([
    false,
    false,
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

it('leaves room for the label of the last bar at its right, where there are labels', () => {
  // '$198.5K' in 11 px is 45 px long, of which 32 at 45 degrees; half of a bar's place is 8 or more.
  expect(option.grid).toMatchObject({ right: 40 })
  expect(chartOption([], { hasLabels: false }).grid).toMatchObject({ right: 20 })
})

it('fades a leaving bar for 500 ms', () => {
  expect(option.animationDuration).toBe(500)
  expect(option.animation).not.toBe(false)
})

it('describes itself and draws its tooltip instead of writing HTML', () => {
  expect(option.aria).toEqual({ enabled: true })
  expect(option.tooltip).toMatchObject({ renderMode: 'richText' })
})

it.each([false, true])('draws Saturdays and Sundays lighter than other days, dark theme: %s', (isDark) => {
  const points = pointsOf([day('2026-03-08', 30), day('2026-03-07', 30), day('2026-03-06', 30)])
  const [drawn] = chartOption(points, { isDark }).series as (Drawn & { data: Drawn[] })[]
  const [friday = 0, ...weekend] = drawn!.data.map(({ itemStyle }) =>
    brightness(itemStyle?.color ?? drawn!.itemStyle!.color),
  )
  expect(weekend).toHaveLength(2)
  for (const one of weekend) expect(one).toBeGreaterThan(friday + 40)
})

it('has colours of its own for the dark theme', () => {
  expect(chartOption([], { isDark: true })).not.toEqual(chartOption([]))
})
