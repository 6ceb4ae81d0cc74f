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

/** A label rises over as many bars to its right. */
const barsUnderLabel = 2

/**
 * Where the label of a bar begins, in percent of the bar's size: at the middle of its top, or as high above
 * it as the highest of the bars that its text rises over, so that it lies over none of them.
 */
const labelPosition = (points: readonly Point[], index: number): [string, string] => {
  const own = points[index]!.value
  const top = Math.max(own, 0)
  const neighbours = points.slice(index + 1, index + 1 + barsUnderLabel)
  const highest = Math.max(top, ...neighbours.map(({ value }) => value))
  return ['50%', own === 0 ? '0%' : `${(-100 * (highest - top)) / Math.abs(own)}%`]
}

/**
 * One bar with its label. The bar of a day without dollars has no height of which its label could be lifted
 * by a part: it has none where a bar beside it stands.
 */
const barOf = (points: readonly Point[], index: number, { weekend }: Colours) => {
  const point = points[index]!
  const isBare =
    point.value === 0 && points.slice(index + 1, index + 1 + barsUnderLabel).some(({ value }) => value > 0)
  return {
    ...point,
    label: { position: labelPosition(points, index), ...(isBare && { show: false }) },
    ...(isWeekend(point) && { itemStyle: { color: weekend } }),
  }
}

const bars = (points: readonly Point[], theme: Colours, hasLabels: boolean): BarSeriesOption => ({
  type: 'bar',
  name: '$ Amount',
  data: points.map((_, index) => barOf(points, index, theme)),
  itemStyle: { color: theme.bar, borderRadius: [2, 2, 0, 0] },
  barMaxWidth: 48,
  label: {
    show: hasLabels,
    // Counted counter-clockwise: the text rises to the right (shell 8).
    rotate: 45,
    align: 'left',
    verticalAlign: 'middle',
    distance: 0,
    minMargin: 4,
    fontSize: 11,
    padding: [5, 2],
    color: theme.ink,
    textBorderColor: theme.surface,
    textBorderWidth: 2,
    formatter: ({ value }) => formatCompactMoney(Number(value)),
  },
  // Of two labels that would lie over each other one is left out.
  labelLayout: { hideOverlap: true },
})

/** The vertical bars of the home page, with the sizes of shell 8. */
export const chartOption = (
  points: readonly Point[],
  { isDark = false, hasLabels = true } = {},
): ChartOption => {
  const theme = colours[isDark ? 'dark' : 'light']
  const { ink, line, surface } = theme
  return {
    aria: { enabled: true },
    // Also the time in which a removed bar fades out.
    animationDuration: 500,
    animationDurationUpdate: 500,
    animationEasing: 'linear',
    textStyle: { fontFamily },
    // The label of the last bar rises to the right of it.
    grid: { left: 72, right: hasLabels ? 40 : 20, top: 48, bottom: 96 },
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
    series: [bars(points, theme, hasLabels)],
  }
}
