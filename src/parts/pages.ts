/** How many pages hold `total` rows; an empty list still has one. */
export const pageCount = (total: number, size: number): number => Math.max(1, Math.ceil(total / size))

/** The page numbers on offer: at most `links`, the current one in the middle where both ends allow it. */
export const pageWindow = (page: number, pages: number, links: number): number[] => {
  const length = Math.min(links, pages)
  const first = Math.min(Math.max(1, page - Math.floor(links / 2)), pages - length + 1)
  return Array.from({ length }, (_, index) => first + index)
}

/** The page of `newSize` rows that still holds the first row of this one. */
export const pageAfterResize = (page: number, size: number, newSize: number): number => Math.floor(((page - 1) * size) / newSize) + 1

/** The rows of a page, counted from 1: [11, 20] */
export const shownRows = (page: number, size: number, total: number): [first: number, last: number] => [
  Math.min((page - 1) * size + 1, total),
  Math.min(page * size, total),
]
