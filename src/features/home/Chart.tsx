import Core from 'echarts-for-react/esm/core'
import { BarChart } from 'echarts/charts'
import { AriaComponent, GridComponent, TooltipComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { SVGRenderer } from 'echarts/renderers'
import { useCallback, useMemo, useState } from 'react'
import { useIsDark } from '../../parts/theme.ts'
import { chartOption } from './chartOption.ts'
import type { Point } from './points.ts'

echarts.use([BarChart, GridComponent, TooltipComponent, AriaComponent, LabelLayout, SVGRenderer])

const svgOptions = { renderer: 'svg' } as const
const fillParent = { width: '100%', height: '100%' }

/** The bars of the home page. Loaded lazily, because the chart library is the largest of the portal. */
export const Chart = ({ points }: { points: readonly Point[] }) => {
  const isDark = useIsDark()
  const [width, setWidth] = useState(0)
  const observeWidth = useCallback((room: HTMLElement | null) => {
    if (!room) return
    setWidth(room.clientWidth)
    const observer = new ResizeObserver(() => setWidth(room.clientWidth))
    observer.observe(room)
    return () => observer.disconnect()
  }, [])
  const option = useMemo(() => chartOption(points, { width, isDark }), [points, width, isDark])
  return (
    <div ref={observeWidth}>
      <Core echarts={echarts} option={option} opts={svgOptions} style={fillParent} />
    </div>
  )
}
