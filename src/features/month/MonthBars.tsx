const barWidth = 8
const gap = 2

type Bar = { y: number; height: number }

/** Bars of a chart of this height that share one zero line; null where there is no figure. */
export const barsOf = (values: readonly (number | null)[], height: number): (Bar | null)[] => {
  const known = values.flatMap((value) => value ?? [])
  const top = Math.max(0, ...known)
  const span = top - Math.min(0, ...known) || 1
  return values.map((value) =>
    value === null
      ? null
      : {
          y: ((top - Math.max(0, value)) / span) * height,
          // A line where the figure is 0.
          height: Math.max((Math.abs(value) / span) * height, 1),
        },
  )
}

type Props = {
  /** The accessible name of the chart. */
  label: string
  months: readonly { month: string }[]
  /** The figure of each month; null where there is none. */
  values: readonly (number | null)[]
  height: number
  /** Shown over the bar of a month. */
  titles: readonly string[]
  /** The class of the bar of a month. */
  classOf?: (month: string) => string
}

/** One bar a month, as wide as its place; a table beside it says the same. */
export const MonthBars = ({ label, months, values, height, titles, classOf }: Props) => (
  <svg
    role="img"
    aria-label={label}
    viewBox={`0 0 ${months.length * (barWidth + gap)} ${height}`}
    preserveAspectRatio="none"
  >
    {barsOf(values, height).map(
      (bar, index) =>
        bar && (
          <rect
            key={months[index]!.month}
            className={classOf?.(months[index]!.month)}
            x={index * (barWidth + gap) + gap / 2}
            y={bar.y}
            width={barWidth}
            height={bar.height}
          >
            <title>{titles[index]}</title>
          </rect>
        ),
    )}
  </svg>
)
