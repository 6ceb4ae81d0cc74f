/** What a file may cost at most. Sizes in bytes unless named otherwise. */
export type ImportLimits = {
  rows: number
  columns: number
  /** Characters of one row, so that a file without line ends cannot fill the memory. */
  rowSize: number
  unzipped: number
  entries: number
  /** Unpacked to packed, looked at above 10 MB alone: small parts pack well without harm. */
  ratio: number
  /** Of reading one file. */
  seconds: number
  /** MB of the reading process in all. */
  memory: number
  /** MB that must be free on the disk beside three times the size of the file. */
  room: number
}

const megabyte = 1_000_000
/** What an operator may set: the variable, how the setting is counted, its default and its bounds. */
const variables = {
  rows: { name: 'IMPORT_ROWS', unit: 1, standard: 1_000_000, least: 1, most: 10_000_000 },
  columns: { name: 'IMPORT_COLUMNS', unit: 1, standard: 200, least: 1, most: 16_384 },
  unzipped: { name: 'IMPORT_UNZIPPED_MB', unit: megabyte, standard: 1_000, least: 1, most: 4_000 },
  ratio: { name: 'IMPORT_RATIO', unit: 1, standard: 200, least: 10, most: 1_000 },
  seconds: { name: 'IMPORT_SECONDS', unit: 1, standard: 60, least: 1, most: 3_600 },
  memory: { name: 'IMPORT_MEMORY_MB', unit: 1, standard: 1_024, least: 256, most: 16_384 },
  room: { name: 'IMPORT_ROOM_MB', unit: 1, standard: 512, least: 0, most: 1_000_000 },
} as const
type Setting = keyof typeof variables

/** `take` answers the whole number a variable holds between two bounds, or what stands for none. */
export type ReadNumber = (name: string, unset: number, least: number, most: number) => number

/** The limits an environment sets. */
export const importLimitSettings = (take: ReadNumber): ImportLimits => {
  const of = (setting: Setting): number => {
    const { name, unit, standard, least, most } = variables[setting]
    return take(name, standard, least, most) * unit
  }
  const set = Object.fromEntries(
    Object.keys(variables).map((setting) => [setting, of(setting as Setting)]),
  ) as Record<Setting, number>
  return { ...set, rowSize: 4_000_000, entries: 2_000 }
}

export const defaultImportLimits: ImportLimits = importLimitSettings((_, unset) => unset)

/** Faults that are listed; the rest are counted. */
export const maxListedFaults = 100
/** The header row is looked for in so many first lines. */
export const maxHeaderLines = 20
/** Changed cells a preview shows. */
export const maxListedDifferences = 50
