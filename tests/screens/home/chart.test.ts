import { BarChart } from 'echarts/charts'
import { AriaComponent, GridComponent, TooltipComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { SVGRenderer } from 'echarts/renderers'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { ProfitDay } from '../../../schemas/api/home.ts'
import { chartOption, labelsOf } from '../../../src/features/home/chartOption.ts'
import { pointsOf, formatReportDate, type Point } from '../../../src/features/home/points.ts'

const day = (iso: string, amount: number): ProfitDay => ({
  processdate: Date.parse(`${iso}T00:00:00Z`) / 1000,
  amount,
})
const newestFirst = [day('2026-03-08', 30), day('2026-01-02', 20.5), day('2025-12-31', -10)]
const option = chartOption(pointsOf(newestFirst), { labels: ['-$10', '$20.5', '$30'] })
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
  expect(series.label).toMatchObject({ show: true, rotate: 45, fontSize: 11, padding: [5, 2] })
})

describe('as it is drawn', () => {
  echarts.use([BarChart, GridComponent, TooltipComponent, AriaComponent, LabelLayout, SVGRenderer])

  /** The SVG of a chart without animations, at the sizes that a browser would draw. */
  function draw(points: Point[], width: number): Document {
    const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height: 420 })
    const labels = labelsOf(points, width)
    chart.setOption({ ...chartOption(points, { labels }), animation: false })
    const svg = chart.renderToSVGString()
    chart.dispose()
    return new DOMParser().parseFromString(svg, 'text/html')
  }

  const numbersOf = (text: string) => [...text.matchAll(/-?[\d.]+/g)].map(([number]) => Number(number))

  type Corner = readonly [x: number, y: number]

  /** The corners of a text of 11 px with its middle at the end of its matrix, 11 px high. */
  function cornersOf(label: Element, letterWidth: number): Corner[] {
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = numbersOf(label.getAttribute('transform')!)
    const half = (label.textContent!.length * letterWidth) / 2
    return [
      [-half, -5.5],
      [half, -5.5],
      [half, 5.5],
      [-half, 5.5],
    ].map(([u = 0, v = 0]) => [x + a * u + c * v, y + b * u + d * v] as const)
  }

  const cornersOfBar = (bar: Element): [Corner, Corner, Corner, Corner] => {
    const numbers = numbersOf(bar.getAttribute('d')!.replace(/A\S+ \S+ 0 0 1/g, ''))
    const [xs, ys] = [0, 1].map((odd) => numbers.filter((_, at) => at % 2 === odd)) as [number[], number[]]
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
    return [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ]
  }

  /** Two convex shapes overlap unless along the normal of one of their edges they lie apart. */
  function overlap(one: Corner[], other: Corner[]): boolean {
    const normals = [one, other].flatMap((corners) =>
      corners.map(([x, y], at) => {
        const [nextX, nextY] = corners[(at + 1) % corners.length]!
        return [y - nextY, nextX - x] as const
      }),
    )
    return normals.every(([x, y]) => {
      const [a, b] = [one, other].map((corners) => corners.map((corner) => corner[0] * x + corner[1] * y))
      return Math.max(...a!) > Math.min(...b!) && Math.max(...b!) > Math.min(...a!)
    })
  }

  /** The widest font in which a page is shown, and the one by which echarts measures outside a browser. */
  const [wideLetter, narrowLetter] = [7, 6]

  const drawnLabels = (svg: Document) => [...svg.querySelectorAll('text[style*="font-size:11px"]')]
  const barsOf = (svg: Document) => [...svg.querySelectorAll('path[ecmeta_data_index]')]
  const named = (values: number[]): Point[] =>
    values.map((value, at) => ({ name: `01-${String(at + 1).padStart(2, '0')}-2026`, value }))

  test.each([
    [728, 30, 84_321, []],
    [729, 30, 84_321, ['$84K']],
    [956, 30, 84_321, ['$84K']],
    [957, 30, 84_321, ['$84.3K']],
    [198, 5, 84_321, []],
    [199, 5, 84_321, ['$84K']],
    [236, 5, 84_321, ['$84K']],
    [237, 5, 84_321, ['$84.3K']],
    // A loss is a sign longer.
    [842, 30, -84_321, []],
    [843, 30, -84_321, ['-$84K']],
    [1071, 30, -84_321, ['-$84K']],
    [1072, 30, -84_321, ['-$84.3K']],
  ])(
    'a chart of %i px with %i bars of %i dollars has labels of as many digits as fit',
    (width, bars, value, expected) => {
      const svg = draw(named(Array.from({ length: bars }, () => value)), width)
      const texts = drawnLabels(svg).map(({ textContent }) => textContent)
      expect(new Set(texts)).toEqual(new Set(expected))
      expect(texts).toHaveLength(expected.length * bars)
    },
  )

  test('a loss among gains has fewer digits than they have, or no label, and takes none from them', () => {
    const points = named([84_321, -84_321, 999_999, 84_321])
    expect(labelsOf(points, 92 + 4 * 33)).toEqual(['$84.3K', '-$84.3K', '$1M', '$84.3K'])
    expect(labelsOf(points, 92 + 4 * 29)).toEqual(['$84.3K', '-$84K', '$1M', '$84.3K'])
    expect(labelsOf(points, 92 + 4 * 25)).toEqual(['$84K', '', '$1M', '$84K'])
  })

  const gains = fc.oneof(
    fc.constantFrom(0, 1, 999.5, 84_321.55, 199_999, 1_234_567),
    fc.integer({ min: 0, max: 25_000_000 }).map((cents) => cents / 100),
  )
  const losses = gains.map((amount) => -amount)

  test.each([
    ['gains', gains, [843, 956, 957, 1400], 15],
    ['gains and losses', fc.oneof(gains, losses), [729, 843, 956, 957, 1071, 1072, 1400], 0],
  ])(
    'whatever %s the bars are, each label stands over the middle of its bar and lies over no bar or other label',
    (_, dollars, widths, fewer) => {
      fc.assert(
        fc.property(
          fc.array(dollars, { minLength: 30, maxLength: 30 }),
          fc.constantFrom(...widths),
          (values, width) => {
            const svg = draw(named(values), width)
            const bars = barsOf(svg).map(cornersOfBar)
            const labels = drawnLabels(svg)
            // Of two that would lie over each other one is left out.
            expect(labels.length).toBeGreaterThan(fewer)
            for (const label of labels) {
              const corners = cornersOf(label, wideLetter)
              expect(bars.filter((bar) => overlap(corners, bar))).toEqual([])
              const [, , , , middle = 0, centre = 0] = numbersOf(label.getAttribute('transform')!)
              const own = bars.filter(([[left], [right]]) => Math.abs((left + right) / 2 - middle) < 1)
              expect(own.map(([[, top]]) => Math.round(top - centre))).toEqual([22])
            }
            const texts = labels.map((label) => cornersOf(label, narrowLetter))
            for (const [at, text] of texts.entries())
              expect(texts.slice(at + 1).filter((other) => overlap(text, other))).toEqual([])
          },
        ),
        { seed: 17, numRuns: 12 },
      )
    },
  )
})

it('draws Saturdays and Sundays in a colour of their own', () => {
  const points = Array.from({ length: 8 }, (_, at) => ({ name: `01-0${at + 1}-2026`, value: 1 }))
  const [drawn] = chartOption(points, { labels: [] }).series as { data: { itemStyle?: object }[] }[]
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
  const [drawn] = chartOption(points, { labels: [], isDark }).series as (Drawn & { data: Drawn[] })[]
  const [friday = 0, ...weekend] = drawn!.data.map(({ itemStyle }) =>
    brightness(itemStyle?.color ?? drawn!.itemStyle!.color),
  )
  expect(weekend).toHaveLength(2)
  for (const one of weekend) expect(one).toBeGreaterThan(friday + 40)
})

it('has colours of its own for the dark theme', () => {
  expect(chartOption([], { labels: [], isDark: true })).not.toEqual(chartOption([], { labels: [] }))
})
