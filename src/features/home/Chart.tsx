import Core from 'echarts-for-react/esm/core'
import { BarChart } from 'echarts/charts'
import { AriaComponent, GridComponent, TooltipComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { SVGRenderer } from 'echarts/renderers'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useIsDark } from '../../parts/theme.ts'
import { chartOption, labelsOf } from './chartOption.ts'
import type { Point } from './points.ts'

echarts.use([BarChart, GridComponent, TooltipComponent, AriaComponent, LabelLayout, SVGRenderer])

const svgOptions = { renderer: 'svg' } as const
const fillParent = { width: '100%', height: '100%' }

/** The bars of the home page. Loaded lazily, because the chart library is the largest of the portal. */
export const Chart = ({ points }: { points: readonly Point[] }) => {
  const isDark = useIsDark()
  const core = useRef<Core>(null)
  const [width, setWidth] = useState(0)
  const observeRoom = useCallback((room: HTMLElement | null) => {
    if (!room) return
    const follow = () => {
      setWidth(room.clientWidth)
      core.current?.getEchartsInstance()?.resize({ width: 'auto', height: 'auto' })
    }
    follow()
    const observer = new ResizeObserver(follow)
    observer.observe(room)
    return () => observer.disconnect()
  }, [])
  // One text, equal for most widths, for a new option draws all bars again.
  const labels = labelsOf(points, width).join('\n')
  const option = useMemo(
    () => chartOption(points, { labels: labels.split('\n'), isDark }),
    [points, labels, isDark],
  )
  return (
    <div ref={observeRoom}>
      {width > 0 && (
        <Core
          ref={core}
          echarts={echarts}
          option={option}
          opts={svgOptions}
          style={fillParent}
          // Its own observer passes over the first change, which may be a real one.
          autoResize={false}
        />
      )}
    </div>
  )
}
