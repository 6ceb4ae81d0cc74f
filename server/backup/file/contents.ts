/** The format of the file: a portal refuses a backup of a later one. */
export const backupFormat = 1

/** The beginning of a backup, in the clear: it holds nothing that is secret (operations 17). */
export type BackupHeader = {
  format: number
  /** When the backup was made: ISO 8601, UTC. */
  made: string
  /** The migrations of the database, in the order they were run; the last one is its schema number. */
  migrations: string[]
  /** The fingerprint of the secret key that the database was written with; null before the first start. */
  key: string | null
  /** Whether the files of a local drive are in it. */
  hasDrive: boolean
  /** Whether the copies of the inbox are in it; missing in older backups. */
  hasInbox?: boolean
  /** How the key is made of the passphrase; null for a backup that is not encrypted. `salt`, `check`: hex. */
  encryption: { N: number; r: number; p: number; salt: string; check: string } | null
}

/** How many rows a table has, and a digest of them whatever their order. */
export type TableSum = { rows: number; digest: string }

/** The end of a backup: what a restored one must add up to. */
export type Proof = {
  tables: Record<string, TableSum>
  /** The next value of each sequence, and whether the current one was given out. */
  sequences: Record<string, { value: string; isCalled: boolean }>
  /** How many files of the drive. */
  files: number
  /** How many copies of the inbox; missing in older backups. */
  copies?: number
  ledger: LedgerSums
}

/** Dollars, as text; of each table of the payout ledger that has amounts. */
export type LedgerSums = Record<string, string>
