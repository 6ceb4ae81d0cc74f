import { type RefObject, useLayoutEffect, useState } from 'react'

/** In pixels: of each item, of the button More, and of all else that stands in the bar. */
type BarWidths = { items: readonly number[]; more: number; others: number }

/** Between two items, as `gap` in shell.css. */
const gap = 2
/** The padding of the bar and the smallest distance between its halves, in pixels. */
const paddingAndDistance = 40

/**
 * How many items stand in a bar of this width: all, or the first ones that leave room for More (shell 6). A
 * bar that is not laid out, of width 0, holds all.
 */
export const fittingCount = ({ items, more, others }: BarWidths, width: number): number => {
  if (width === 0) return items.length
  let end = paddingAndDistance + others
  const ends = items.map((item) => (end += item + gap))
  if (end <= width) return items.length
  return ends.filter((each) => each + more + gap <= width).length
}

/** The least width of a bar that has all items under More. */
export const leastWidth = ({ items, more, others }: BarWidths): number =>
  paddingAndDistance + others + (items.length > 0 ? more + gap : 0)

type Parts = {
  left: RefObject<HTMLElement | null>
  /** Its children are the items, and last the button More. */
  nav: RefObject<HTMLElement | null>
  right: RefObject<HTMLElement | null>
}

const measure = ({ left, nav, right }: Parts): BarWidths => {
  const widths = [...nav.current!.children].map((child) => (child as HTMLElement).offsetWidth)
  const beside = left.current!.offsetWidth - nav.current!.offsetWidth
  return { items: widths.slice(0, -1), more: widths.at(-1)!, others: beside + right.current!.offsetWidth }
}

/**
 * The number of items that fit, null while the widths are measured: then all are drawn, before the browser
 * paints. Follows the width of the bar and, by `texts`, what its items say. `onLeastWidth` gets the width
 * below which not even More fits.
 */
export const useFittingCount = (
  parts: Parts,
  texts: string,
  onLeastWidth: (pixels: number) => void,
): number | null => {
  const [fitting, setFitting] = useState({ texts: '', count: 0 })
  const { left, nav, right } = parts
  useLayoutEffect(() => {
    const widths = measure({ left, nav, right })
    onLeastWidth(leastWidth(widths))
    const bar = left.current!.parentElement!
    const update = () => setFitting({ texts, count: fittingCount(widths, bar.offsetWidth) })
    update()
    const observer = new ResizeObserver(update)
    observer.observe(bar)
    return () => observer.disconnect()
  }, [left, nav, right, texts, onLeastWidth])
  return fitting.texts === texts ? fitting.count : null
}
