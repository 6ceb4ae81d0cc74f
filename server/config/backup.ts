import { join, resolve } from 'node:path'
import { failExpected, wholeNumber, type ParseVariable, type ReadVariable } from './variables.ts'

/** Where backups go and how they are made (operations 17). */
export type BackupSettings = {
  /** Absolute. */
  folder: string
  /** How many backups are left in the folder; null for all. */
  keep: number | null
  /** Null for backups that are not encrypted. */
  passphrase: string | null
  /** The file whose first line is the passphrase; null for none. */
  passphraseFile: string | null
}

/** BACKUP_DIR, BACKUP_KEEP, BACKUP_PASSPHRASE and BACKUP_PASSPHRASE_FILE. */
export function backupSettings(read: ReadVariable, dataDir: string): BackupSettings {
  const passphraseFile = read('BACKUP_PASSPHRASE_FILE', null, (text) => resolve(text))
  const parse = passphraseFile === null ? checkPassphrase : alone
  return {
    folder: read('BACKUP_DIR', join(dataDir, 'backups'), (text) => resolve(text)),
    keep: read('BACKUP_KEEP', null, parseBackupCount),
    passphrase: read('BACKUP_PASSPHRASE', null, parse, true),
    passphraseFile,
  }
}

/** How many of the newest backups stay when one was made. */
export const parseBackupCount: ParseVariable<number | null> = wholeNumber(1, 10_000)

const alone: ParseVariable<string> = () => failExpected('left out when BACKUP_PASSPHRASE_FILE is set')

/** A passphrase may be tried as often as somebody who has the file likes. Throws when it is too short. */
export const checkPassphrase: ParseVariable<string> = (text) =>
  [...text].length >= 16 ? text : failExpected('a passphrase of at least 16 characters')
