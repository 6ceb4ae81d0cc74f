import Core from 'echarts-for-react/esm/core'
import { BarChart } from 'echarts/charts'
import { AriaComponent, GridComponent, TooltipComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { SVGRenderer } from 'echarts/renderers'
import { useMemo } from 'react'
import { useMediaQuery } from '../../parts/browser.ts'
import { useIsDark } from '../../parts/theme.ts'
import { chartOption } from './chartOption.ts'
import type { Point } from './points.ts'

echarts.use([BarChart, GridComponent, TooltipComponent, AriaComponent, LabelLayout, SVGRenderer])

const svgOptions = { renderer: 'svg' } as const
const fillParent = { width: '100%', height: '100%' }

/** The bars of the home page. Loaded lazily, because the chart library is the largest of the portal. */
export const Chart = ({ points }: { points: readonly Point[] }) => {
  const isDark = useIsDark()
  // On narrow screens the labels would overlap (shell 8).
  const hasLabels = !useMediaQuery('(max-width: 640px)')
  const option = useMemo(() => chartOption(points, { isDark, hasLabels }), [points, isDark, hasLabels])
  return <Core echarts={echarts} option={option} opts={svgOptions} style={fillParent} />
}
