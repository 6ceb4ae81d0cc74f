import { useRef, type PointerEvent } from 'react'
import { columnWidths } from '../../../schemas/constants.ts'

type Props = {
  /** Called when a drag begins. */
  onDrag: () => void
  /** In pixels; null for as wide as its texts. */
  onResize: (width: number | null) => void
}

/** The style of a heading that holds its column at this width: its other cells ask for none. */
export const sizedStyle = (width: string) => ({ width, minWidth: width, maxWidth: width })

/**
 * The edge of a heading, which is dragged to size its column and double-clicked to fit its texts. It is for
 * pointers alone: keys size columns in the panel (lists 18).
 */
export const ColumnEdge = ({ onDrag, onResize }: Props) => {
  const drag = useRef<{ from: number; start: number; width: number } | null>(null)
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    const start = event.currentTarget.closest('th')!.offsetWidth
    drag.current = { from: event.clientX, start, width: start }
  }
  const move = (event: PointerEvent<HTMLElement>) => {
    if (!drag.current) return
    const { from, start, width } = drag.current
    const wanted = Math.round(start + event.clientX - from)
    drag.current.width = Math.min(Math.max(wanted, columnWidths.min), columnWidths.max)
    if (drag.current.width === width) return
    onDrag()
    Object.assign(event.currentTarget.closest('th')!.style, sizedStyle(`${drag.current.width}px`))
  }
  const end = () => {
    const ended = drag.current
    drag.current = null
    if (ended && ended.width !== ended.start) onResize(ended.width)
  }
  return (
    <span
      className="column-edge"
      aria-hidden="true"
      onPointerDown={begin}
      onPointerMove={move}
      onLostPointerCapture={end}
      onDoubleClick={() => onResize(null)}
    />
  )
}
