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

/**
 * Pixels from bar to bar beside which a label with such digits lies over no higher bar. '$84.3K' in 11 px is
 * up to 42 px long, so at 45 degrees it reaches 19 px to both sides of its bar's middle, and the next bar
 * begins at 0.65 of the way to its own.
 */
const labelRooms = [
  // '$84K', '$125K', '$1.2M'
  { pixels: 26, digits: {} },
  // '$84.3K', '$125K', '$1.23M'
  { pixels: 29, digits: { maximumSignificantDigits: 3 } },
]

/** The digits that labels have room for in a chart of `width` pixels; undefined for no labels. */
const labelDigits = (width: number, bars: number) =>
  labelRooms.findLast(({ pixels }) => width >= marginLeft + marginRight + bars * pixels)?.digits

/** One bar; the colour of its day says whether people work on it. */
const barOf = (point: Point, { weekend }: Colours) => ({
  ...point,
  ...(isWeekend(point) && { itemStyle: { color: weekend } }),
})

const bars = (points: readonly Point[], theme: Colours, digits?: object): BarSeriesOption => ({
  type: 'bar',
  name: '$ Amount',
  data: points.map((point) => barOf(point, theme)),
  itemStyle: { color: theme.bar, borderRadius: [2, 2, 0, 0] },
  barMaxWidth: 48,
  label: {
    show: digits !== undefined,
    // Counted counter-clockwise: the text rises to the right (shell 8).
    rotate: 45,
    // The middle of the text stands over the middle of the bar, so high that its lower end is above it.
    position: 'top',
    align: 'center',
    verticalAlign: 'middle',
    distance: 20,
    minMargin: 4,
    fontSize: 11,
    padding: [5, 2],
    color: theme.ink,
    textBorderColor: theme.surface,
    textBorderWidth: 2,
    formatter: ({ value }) => formatCompactMoney(Number(value), digits),
  },
  // Of two labels that would lie over each other one is left out.
  labelLayout: { hideOverlap: true },
})

type Look = { width: number; isDark?: boolean }

/** The vertical bars of the home page in a chart of `width` pixels, with the sizes of shell 8. */
export const chartOption = (points: readonly Point[], { width, isDark = false }: Look): ChartOption => {
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
    series: [bars(points, theme, labelDigits(width, points.length))],
  }
}
