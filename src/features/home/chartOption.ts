import type { BarSeriesOption } from 'echarts/charts'
import type { AriaComponentOption, GridComponentOption, TooltipComponentOption } from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import { formatMoney, formatCompactMoney, type Point } from './points.ts'

export type ChartOption = ComposeOption<
  BarSeriesOption | GridComponentOption | TooltipComponentOption | AriaComponentOption
>

const colours = {
  light: { bar: '#2f6fbb', ink: '#1a2330', soft: '#556172', line: '#d8dee6', surface: '#ffffff' },
  dark: { bar: '#5b93db', ink: '#e8ecf1', soft: '#a9b4c2', line: '#39424e', surface: '#20262e' },
}

/** The vertical bars of the home page, with the constants of the specification, sections 2 and 9. */
export const chartOption = (
  points: readonly Point[],
  { isDark = false, hasLabels = true } = {},
): ChartOption => {
  const { bar, ink, soft, line, surface } = colours[isDark ? 'dark' : 'light']
  const axisName = {
    nameLocation: 'middle',
    nameTextStyle: { color: ink, fontSize: 12, fontWeight: 600 },
  } as const
  return {
    aria: { enabled: true },
    // A bar that leaves fades out in this time, too.
    animationDuration: 500,
    animationDurationUpdate: 500,
    animationEasing: 'linear',
    textStyle: {
      fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
    },
    grid: { left: 72, right: 20, top: 48, bottom: 96 },
    tooltip: {
      trigger: 'axis',
      axisPointer: { type: 'shadow' },
      // The page may not set style attributes; rich text is drawn, not written as HTML.
      renderMode: 'richText',
      backgroundColor: surface,
      borderColor: line,
      textStyle: { color: ink },
      valueFormatter: (value) => formatMoney(Number(value)),
    },
    xAxis: {
      type: 'category',
      name: 'Report Date',
      ...axisName,
      nameGap: 74,
      data: points.map((point) => point.name),
      axisLabel: { color: soft, rotate: 45, hideOverlap: true },
      axisLine: { lineStyle: { color: line } },
      axisTick: { alignWithLabel: true, lineStyle: { color: line } },
    },
    yAxis: {
      type: 'value',
      name: '$ Amount',
      ...axisName,
      nameGap: 54,
      axisLabel: { color: soft, formatter: (value: number) => formatCompactMoney(value) },
      splitLine: { lineStyle: { color: line } },
    },
    series: [
      {
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
      },
    ],
  }
}
