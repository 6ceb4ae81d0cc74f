import type { BarSeriesOption } from 'echarts/charts'
import type { AriaComponentOption, GridComponentOption, TooltipComponentOption } from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import { formatMoney, formatCompactMoney, isWeekend, type Point } from './points.ts'

type ChartOption = ComposeOption<
  BarSeriesOption | GridComponentOption | TooltipComponentOption | AriaComponentOption
>

const colours = {
  light: {
    bar: '#2f6fbb',
    weekend: '#93b5dc',
    ink: '#1a2330',
    soft: '#556172',
    line: '#d8dee6',
    surface: '#ffffff',
  },
  dark: {
    bar: '#5b93db',
    weekend: '#b9d3f5',
    ink: '#e8ecf1',
    soft: '#a9b4c2',
    line: '#39424e',
    surface: '#20262e',
  },
}

const fontFamily = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

type Colours = (typeof colours)['light']

const axisName = (ink: string) =>
  ({ nameLocation: 'middle', nameTextStyle: { color: ink, fontSize: 12, fontWeight: 600 } }) as const

const xAxis = (points: readonly Point[], { ink, soft, line }: Colours) =>
  ({
    type: 'category',
    name: 'Report Date',
    ...axisName(ink),
    nameGap: 74,
    data: points.map((point) => point.name),
    axisLabel: { color: soft, rotate: 45, hideOverlap: true },
    axisLine: { lineStyle: { color: line } },
    axisTick: { alignWithLabel: true, lineStyle: { color: line } },
  }) as const

const yAxis = ({ ink, soft, line }: Colours) =>
  ({
    type: 'value',
    name: '$ Amount',
    ...axisName(ink),
    nameGap: 54,
    axisLabel: { color: soft, formatter: (value: number) => formatCompactMoney(value) },
    splitLine: { lineStyle: { color: line } },
  }) as const

const marginLeft = 80
const marginRight = 12

/** '$84.3K', '$125K', '$1.23M'; then '$84K', '$125K', '$1.2M'. */
const labelDigits = [{ maximumSignificantDigits: 3 }, {}]

/** Pixels to each side of a bar's middle that a text of 11 px at 45 degrees covers, in the widest font. */
const reachOf = (text: string) => ((text.length * 7) / 2 + 5.5) * Math.SQRT1_2
/** Where the next bar begins, as a part of the way to its middle. */
const nextBar = 0.65

/**
 * The labels of the bars in a chart of `width` pixels: three digits where all gains have room for them
 * without reaching a higher bar. A longer label, like that of a loss, has fewer digits, or is empty
 * where there is no room for these either (shell 8).
 */
export function labelsOf(points: readonly Point[], width: number): string[] {
  const room = ((width - marginLeft - marginRight) / points.length) * nextBar
  const fits = (text: string) => reachOf(text) <= room
  const texts = labelDigits.map((digits) => points.map(({ value }) => formatCompactMoney(value, digits)))
  const usable = texts.filter((of, at) => at > 0 || of.every((text) => text.startsWith('-') || fits(text)))
  return points.map((_, bar) => usable.map((of) => of[bar]!).find(fits) ?? '')
}

/** One bar; the colour of its day says whether people work on it. */
const barOf = (point: Point, { weekend }: Colours) => ({
  ...point,
  ...(isWeekend(point) && { itemStyle: { color: weekend } }),
})

const bars = (points: readonly Point[], theme: Colours, labels: readonly string[]): BarSeriesOption => ({
  type: 'bar',
  name: '$ Amount',
  data: points.map((point) => barOf(point, theme)),
  itemStyle: { color: theme.bar, borderRadius: [2, 2, 0, 0] },
  barMaxWidth: 48,
  label: {
    show: true,
    // Counted counter-clockwise: the text rises to the right (shell 8).
    rotate: 45,
    // The middle of the text stands over the middle of the bar, so high that its lower end is above it.
    position: 'top',
    align: 'center',
    verticalAlign: 'middle',
    distance: 22,
    minMargin: 4,
    fontSize: 11,
    padding: [5, 2],
    color: theme.ink,
    textBorderColor: theme.surface,
    textBorderWidth: 2,
    formatter: ({ dataIndex }) => labels[dataIndex] ?? '',
  },
  // Of two labels that would lie over each other one is left out.
  labelLayout: { hideOverlap: true },
})

type Look = { labels: readonly string[]; isDark?: boolean }

/** The vertical bars of the home page, each with its label, with the sizes of shell 8. */
export const chartOption = (points: readonly Point[], { labels, isDark = false }: Look): ChartOption => {
  const theme = colours[isDark ? 'dark' : 'light']
  const { ink, line, surface } = theme
  return {
    aria: { enabled: true },
    // Also the time in which a removed bar fades out.
    animationDuration: 500,
    animationDurationUpdate: 500,
    animationEasing: 'linear',
    textStyle: { fontFamily },
    grid: { left: marginLeft, right: marginRight, top: 48, bottom: 96 },
    tooltip: {
      trigger: 'axis',
      axisPointer: { type: 'shadow' },
      // The content security policy forbids the style attributes of an HTML tooltip; rich text is drawn.
      renderMode: 'richText',
      backgroundColor: surface,
      borderColor: line,
      textStyle: { color: ink },
      valueFormatter: (value) => formatMoney(Number(value)),
    },
    xAxis: xAxis(points, theme),
    yAxis: yAxis(theme),
    series: [bars(points, theme, labels)],
  }
}
