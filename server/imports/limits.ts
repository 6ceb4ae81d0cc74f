/** What a file may cost at most. Sizes in bytes, `seconds` of reading, `heap` in MB of the reading process. */
export type Limits = {
  rows: number
  columns: number
  /** Characters of one row, so that a file without line ends cannot fill the memory. */
  rowSize: number
  unzipped: number
  entries: number
  /** Unpacked to packed, looked at above 10 MB alone: small parts pack well without harm. */
  ratio: number
  seconds: number
  heap: number
}

export const limits: Limits = {
  rows: 1_000_000,
  columns: 200,
  rowSize: 4_000_000,
  unzipped: 1_000_000_000,
  entries: 2_000,
  ratio: 200,
  seconds: 60,
  heap: 512,
}

/** Faults that are listed; the rest are counted. */
export const faultsListed = 100
/** The header row is looked for in so many first lines. */
export const headerLines = 20
/** Changed cells a preview shows. */
export const differencesListed = 50
