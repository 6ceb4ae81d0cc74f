import { formatCount } from '../../parts/format.ts'

/** How many works begin before one that waits for its turn. */
export const placeText = (before: number): string =>
  before === 0 ? 'you are next' : `${formatCount(before)} before you`
