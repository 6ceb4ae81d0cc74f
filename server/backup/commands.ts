import { join } from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import { countNoun } from '../../schemas/wording.ts'
import { parseBackupCount } from '../config/backup.ts'
import type { Config } from '../config/config.ts'
import type { Tx } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { keyFileOf, loadSecretKey, ownKeyFingerprint } from '../db/secretKey.ts'
import { listBackups, makeBackup } from './backup.ts'
import { folderWriter } from './folderFiles.ts'
import { backupPassphrase, withInstallation } from './installation.ts'
import { describeUnreadable, writeNote } from './notes.ts'
import { rehearse } from './rehearse.ts'
import { resetPassword } from './resetPassword.ts'
import { readBackupHeader, restoreBackup } from './restore.ts'
import { giveUpLostKey, rotateKey } from './rotateKey.ts'

/** A command as it was given: `names` without options, `values` of the options. */
type Given = {
  config: Config
  env: NodeJS.ProcessEnv
  names: string[]
  values: Record<string, unknown>
  print(line: string): void
}

/** `names` it must be given, `usage` of its options. `run` throws an Error with a sentence for a person. */
type Command = {
  names: string[]
  usage: string[]
  options: NonNullable<ParseArgsConfig['options']>
  run(given: Given): Promise<void>
}

const count = (number: number) => number.toLocaleString('en-US')

const backup: Command = {
  names: [],
  usage: ['[--to FOLDER]', '[--keep N]'],
  options: { to: { type: 'string' }, keep: { type: 'string' } },
  async run({ config, env, values, print }) {
    const keep = values['keep'] === undefined ? config.backup.keep : parseKeep(String(values['keep']))
    const folder = String(values['to'] ?? config.backup.folder)
    const passphrase = backupPassphrase(config.backup)
    await withInstallation(config, env, { isShared: true, isCreated: false }, async ({ db }) => {
      const drive = 'folder' in config.drive ? config.drive.folder : null
      const inbox = config.inbox.copies
      const { file, bytes, rows, files, copies, removed } = await makeBackup(db, {
        folder,
        keep,
        passphrase,
        drive,
        inbox,
      })
      await writeNote(db, 'backup', { at: Math.floor(Date.now() / 1000), file, bytes, rows })
      print(
        `Backed up ${count(rows)} rows, ${count(files)} files of the drive and ` +
          `${count(copies)} of the inbox into ${file}`,
      )
      if (passphrase === null) print('It is not encrypted: set BACKUP_PASSPHRASE_FILE to encrypt backups')
      if (drive === null) print('The drive is on Google Drive and not part of it')
      if (removed > 0)
        print(
          `Removed ${countNoun(removed, 'older backup')}, ${count(keep!)} ${keep === 1 ? 'is' : 'are'} kept`,
        )
    })
  },
}

function parseKeep(text: string): number | null {
  try {
    return parseBackupCount(text)
  } catch (error) {
    throw new Error(`--keep is '${text}': ${(error as Error).message}`)
  }
}

/** More payments than are sent between a backup and its restore. */
const lostPayments = 100_000

/**
 * Numbers the next payment behind those that were sent after the backup, of which nothing is known: with one
 * of their trace numbers a return of theirs would be booked for another payment. An old backup has no ledger.
 */
const skipPaymentNumbers = (tx: Tx) =>
  tx.query(
    `select setval(oid::regclass, coalesce(pg_sequence_last_value(oid), 0) + $1::bigint)
      from pg_class where oid = to_regclass('payout_payment_id_seq')`,
    [lostPayments],
  )

const afterRestore =
  'Payouts that were released after that are not known any more: mark what was sent as paid in another way ' +
  'before the next bank file is released, or it is paid twice'

const restore: Command = {
  names: ['FILE'],
  usage: ['[--replace]'],
  options: { replace: { type: 'boolean' } },
  async run({ config, env, names: [file = ''], values, print }) {
    const passphrase = backupPassphrase(config.backup)
    const header = await readBackupHeader(file, passphrase)
    const key = ownKeyFingerprint(config)
    const keyFile = keyFileOf(config)
    if (header.key !== null && key !== null && header.key !== key)
      throw new Error(
        `The backup ${file} is of another portal: it was written with the secret key ${header.key}, ` +
          `and the one here is ${key}. Put the right key into ${keyFile}, or set SECRET_KEY`,
      )
    await withInstallation(config, env, { isShared: false, isCreated: true }, async ({ db, url }) => {
      const drive = header.hasDrive && 'folder' in config.drive ? folderWriter(config.drive.folder) : null
      const inbox = header.hasInbox ? folderWriter(config.inbox.copies) : null
      try {
        const proof = await restoreBackup(db, {
          file,
          passphrase,
          replace: values['replace'] === true,
          drive,
          inbox,
          async beforeCommit(tx) {
            // A session that was ended since the backup must not come back.
            await tx.query('delete from session')
            await skipPaymentNumbers(tx)
            // A folder that is a volume of its own cannot be replaced.
            await drive?.finish()
            await inbox?.finish()
          },
        })
        await migrate(url)
        await writeNote(db, 'restore', { at: Math.floor(Date.now() / 1000) })
        const rows = Object.values(proof.tables).reduce((sum, table) => sum + table.rows, 0)
        print(
          `Restored ${count(rows)} rows, ${count(proof.files)} files of the drive and ` +
            `${count(proof.copies ?? 0)} of the inbox, as of ${header.made}`,
        )
        print(afterRestore)
      } catch (error) {
        await drive?.discard()
        await inbox?.discard()
        throw error
      }
    })
    if (header.key !== null && key === null)
      print(
        `Before the portal is started, put its secret key (${header.key}) into ${keyFile}, or set SECRET_KEY`,
      )
  },
}

const rehearseCommand: Command = {
  names: [],
  usage: ['[--from FOLDER]'],
  options: { from: { type: 'string' } },
  async run({ config, env, values, print }) {
    const folder = String(values['from'] ?? config.backup.folder)
    const newest = (await listBackups(folder)).at(-1)
    if (!newest) throw new Error(`There is no backup in ${folder}: make one with npm run backup`)
    const passphrase = backupPassphrase(config.backup)
    await withInstallation(config, env, { isShared: true, isCreated: false }, async (installation) => {
      const secret = await loadSecretKey(config, installation.db)
      const note = await rehearse(installation, { file: join(folder, newest), passphrase, secret })
      if (note.fault !== null) throw new Error(`The rehearsal failed: ${note.fault}`)
      print(
        `Rehearsed ${note.file}: ${count(note.rows)} rows and ${count(note.months)} locks are as they were`,
      )
      if (note.unreadable.length > 0) print(describeUnreadable(note.unreadable).trim())
    })
  },
}

const rotate: Command = {
  names: [],
  usage: ['[--lost]'],
  options: { lost: { type: 'boolean' } },
  async run(given) {
    if (given.values['lost'] === true) return giveUpKey(given)
    const { config, env, print } = given
    const next = env['NEW_SECRET_KEY']?.trim().toLowerCase() || null
    if ((next === null) !== (config.secretKey === null) || (next && !/^[0-9a-f]{64}$/.test(next)))
      throw new Error(
        'Where the key is in SECRET_KEY, set NEW_SECRET_KEY to the new one, 64 hexadecimal digits; ' +
          'where it is in a file, set neither: the new one is made',
      )
    await withInstallation(config, env, { isShared: false, isCreated: false }, async ({ db, url }) => {
      await migrate(url)
      const { reencrypted, unreadable } = await rotateKey(db, config, next)
      print(
        `Encrypted ${count(reencrypted)} values with the new secret key. ` +
          'Make a backup, and keep the key apart',
      )
      if (next !== null) print('From now on SECRET_KEY must hold what NEW_SECRET_KEY does')
      if (unreadable.length > 0) print(describeUnreadable(unreadable).trim())
    })
  },
}

const giveUpKey = ({ config, env, print }: Given) =>
  withInstallation(config, env, { isShared: false, isCreated: false }, async ({ db, url }) => {
    await migrate(url)
    const unreadable = await giveUpLostKey(db, config)
    const where = config.secretKey === null ? keyFileOf(config) : 'SECRET_KEY'
    print(`The key of this database is now that in ${where}. Make a backup, and keep the key apart`)
    if (unreadable.length > 0) print(describeUnreadable(unreadable).trim())
  })

const reset: Command = {
  names: ['USERNAME'],
  usage: [],
  options: {},
  async run({ config, env, names: [username = ''], print }) {
    await withInstallation(config, env, { isShared: true, isCreated: false }, async ({ db }) => {
      const password = await resetPassword(db, username)
      print(`The password of ${username} is now ${password}: shown this once. Every session of it has ended`)
    })
  },
}

/** What `npm run <name>` does. */
export const commands: Record<string, Command> = {
  backup,
  restore,
  rehearse: rehearseCommand,
  'rotate-key': rotate,
  'reset-password': reset,
}
