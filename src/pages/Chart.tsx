import Core from 'echarts-for-react/esm/core'
import { BarChart } from 'echarts/charts'
import { AriaComponent, GridComponent, TooltipComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { useMemo } from 'react'
import { useIsDark } from '../theme.ts'
import { chartOption } from './chartOption.ts'
import type { Point } from './points.ts'

echarts.use([BarChart, GridComponent, TooltipComponent, AriaComponent, SVGRenderer])

const renderer = { renderer: 'svg' } as const
/** Where the bars stand too close for their labels, the table beside them says the figures. */
const labels = (show: boolean) => ({ series: [{ label: { show } }] })
const media = [{ query: { maxWidth: 640 }, option: labels(false) }, { option: labels(true) }]
const fill = { width: '100%', height: '100%' }

/** The bars of the home page; a chunk of its own, for it is the heaviest thing in the portal. */
export const Chart = ({ points }: { points: readonly Point[] }) => {
  const isDark = useIsDark()
  const option = useMemo(() => ({ baseOption: chartOption(points, isDark), media }), [points, isDark])
  return <Core echarts={echarts} option={option} opts={renderer} style={fill} />
}
