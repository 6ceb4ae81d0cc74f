import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPassphrase, type BackupSettings } from '../config/backup.ts'
import type { Config } from '../config/config.ts'
import { openDb, type Db } from '../db/db.ts'
import { runningPostgres, startPostgres } from '../db/postgres/postgres.ts'

/** The database that a command works on. `url` is that of the owner of the tables. */
export type Installation = { db: Db; url: string }

/**
 * Whether the portal may run meanwhile, and whether a missing embedded database is made. Commands on a
 * database elsewhere always run beside its portals.
 */
type InstallationUse = { isShared: boolean; isCreated: boolean }

/**
 * Opens the database of the installation for `work` and closes it: that of DATABASE_URL, or of
 * MIGRATE_DATABASE_URL where tables have another owner; else the embedded one, which runs already or is
 * started meanwhile. Throws an Error with a sentence for a person.
 */
export async function withInstallation<T>(
  config: Config,
  env: NodeJS.ProcessEnv,
  use: InstallationUse,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const elsewhere = env['MIGRATE_DATABASE_URL']?.trim() || config.databaseUrl
  const running = elsewhere ?? (use.isShared ? runningPostgres(config.dataDir) : null)
  if (!running && !use.isCreated && !existsSync(join(config.dataDir, 'postgres')))
    throw new Error(
      `There is no database in ${config.dataDir}: say where it is with DATA_DIR or DATABASE_URL`,
    )
  const started = running ? null : await startPostgres({ folder: config.dataDir })
  const url = running ?? started!.url
  const db = openDb(url, { max: 2 })
  try {
    await db.query('select 1').catch((error: Error & { code?: string }) => {
      throw new Error(`The database does not let the portal in: ${error.message || error.code}`)
    })
    return await work({ db, url })
  } finally {
    await db.close().catch(() => {})
    await started?.stop()
  }
}

/** The passphrase of backups; null for none. Throws an Error with a sentence when its file is no good. */
export function backupPassphrase({ passphrase, passphraseFile }: BackupSettings): string | null {
  if (passphraseFile === null) return passphrase
  let text: string
  try {
    text = readFileSync(passphraseFile, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`The file of BACKUP_PASSPHRASE_FILE, ${passphraseFile}, cannot be read (${code})`)
  }
  try {
    return checkPassphrase(text.split(/\r?\n/)[0]!.trim())
  } catch (error) {
    throw new Error(`The first line of ${passphraseFile} is wrong: ${(error as Error).message}`)
  }
}
