import type { BarSeriesOption } from 'echarts/charts'
import type { AriaComponentOption, GridComponentOption, TooltipComponentOption } from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import { formatMoney, formatCompactMoney, type Point } from './points.ts'

type ChartOption = ComposeOption<
  BarSeriesOption | GridComponentOption | TooltipComponentOption | AriaComponentOption
>

const colours = {
  light: { bar: '#2f6fbb', ink: '#1a2330', soft: '#556172', line: '#d8dee6', surface: '#ffffff' },
  dark: { bar: '#5b93db', ink: '#e8ecf1', soft: '#a9b4c2', line: '#39424e', surface: '#20262e' },
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

const bars = (
  points: readonly Point[],
  { bar, ink, surface }: Colours,
  hasLabels: boolean,
): BarSeriesOption => ({
  type: 'bar',
  name: '$ Amount',
  data: points.map((point) => ({ ...point })),
  itemStyle: { color: bar, borderRadius: [2, 2, 0, 0] },
  barMaxWidth: 48,
  label: {
    show: hasLabels,
    position: 'top',
    rotate: -45,
    align: 'right',
    verticalAlign: 'middle',
    fontSize: 11,
    padding: [5, 2],
    color: ink,
    textBorderColor: surface,
    textBorderWidth: 2,
    formatter: ({ value }) => formatCompactMoney(Number(value)),
  },
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
    grid: { left: 72, right: 20, top: 48, bottom: 96 },
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
