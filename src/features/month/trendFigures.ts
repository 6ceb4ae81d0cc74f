import type { TrendMonth } from '../../../schemas/api/months/trend.ts'
import { formatCount, formatDollars } from '../../parts/format.ts'

/** A figure of a month that is compared with those before. */
export type TrendFigure = {
  title: string
  value: (month: TrendMonth) => number | null
  format: (value: number) => string
}

const days = (count: number) => `${formatCount(count)} ${Math.abs(count) === 1 ? 'day' : 'days'}`

/** Net as hundredths of a percent of the volume; null without volume. */
export const bpsOf = ({ net, volume }: Pick<TrendMonth, 'net' | 'volume'>): number | null =>
  volume === 0 ? null : (net / volume) * 10_000

/** In the order in which they are shown (cockpit 7). */
export const trendFigures: readonly TrendFigure[] = [
  { title: 'Net', value: ({ net }) => net, format: formatDollars },
  { title: 'Net of Volume', value: bpsOf, format: (bps) => `${bps.toFixed(1)} bps` },
  { title: 'Accounts', value: ({ accounts }) => accounts, format: formatCount },
  { title: 'Days to Lock', value: ({ lockedafter }) => lockedafter, format: days },
  { title: 'Days to Release', value: ({ releasedafter }) => releasedafter, format: days },
]

export const formatFigure = ({ value, format }: TrendFigure, month: TrendMonth): string => {
  const figure = value(month)
  return figure === null ? '' : format(figure)
}
