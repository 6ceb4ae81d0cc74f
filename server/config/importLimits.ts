/** What a file may cost at most (imports 24). */
export type ImportLimits = {
  rows: number
  columns: number
  /** Characters of one row, so that a file without line ends cannot fill the memory. */
  rowCharacters: number
  unzippedBytes: number
  zipEntries: number
  /** Rows of the sheets that are merged into the first one, which are held in memory (mapping 6). */
  mergedRows: number
  /** Unpacked size to packed size. Applies above 10 MB alone: small parts pack well without harm. */
  zipRatio: number
  /** For reading one file. */
  seconds: number
  /** Of the reading process in all. */
  memoryMb: number
  /** Free space the disk must keep besides three times the size of the file. */
  freeDiskMb: number
}

const megabyte = 1_000_000
/**
 * What an operator may set: the variable, how many of the limit's units it counts, its default and its
 * bounds.
 */
const variables = {
  rows: { name: 'IMPORT_ROWS', unit: 1, unset: 1_000_000, min: 1, max: 10_000_000 },
  columns: { name: 'IMPORT_COLUMNS', unit: 1, unset: 200, min: 1, max: 16_384 },
  unzippedBytes: { name: 'IMPORT_UNZIPPED_MB', unit: megabyte, unset: 2_000, min: 1, max: 4_000 },
  zipRatio: { name: 'IMPORT_RATIO', unit: 1, unset: 200, min: 10, max: 1_000 },
  seconds: { name: 'IMPORT_SECONDS', unit: 1, unset: 300, min: 1, max: 3_600 },
  memoryMb: { name: 'IMPORT_MEMORY_MB', unit: 1, unset: 1_024, min: 256, max: 16_384 },
  freeDiskMb: { name: 'IMPORT_ROOM_MB', unit: 1, unset: 512, min: 0, max: 1_000_000 },
} as const

/** The whole number a variable holds from `min` to `max`, or `unset`. */
type ReadNumber = (name: string, unset: number, min: number, max: number) => number

/** The limits an environment sets. */
export const importLimitSettings = (read: ReadNumber): ImportLimits => {
  const set = Object.fromEntries(
    Object.entries(variables).map(([limit, { name, unit, unset, min, max }]) => [
      limit,
      read(name, unset, min, max) * unit,
    ]),
  ) as Record<keyof typeof variables, number>
  return { ...set, rowCharacters: 4_000_000, zipEntries: 2_000, mergedRows: 200_000 }
}

export const defaultImportLimits: ImportLimits = importLimitSettings((_, unset) => unset)

/** Of one row of the widest usual file, one of merchants with all 26 columns filled (imports 39). */
const bytesPerRow = 450
/** The least default of UPLOAD_LIMIT_MB, in units of 1,048,576 bytes. */
const leastUploadMb = 50
/** The default of UPLOAD_LIMIT_MB: what a file of so many rows may need. */
export const uploadMbOf = (rows: number) =>
  Math.max(leastUploadMb, Math.ceil((rows * bytesPerRow) / 1_048_576))

/** How many faults are listed; the others are counted. */
export const maxListedFaults = 100
/** In how many first lines the header row is looked for. */
export const maxHeaderLines = 20
/** How many changed cells a preview shows. */
export const maxListedDifferences = 50
