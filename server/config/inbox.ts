import { join, relative, resolve } from 'node:path'
import { failExpected, wholeNumber, type ReadVariable } from './variables.ts'

/** Where files wait, and for how long what has ended is kept (operations 23). */
export type InboxSettings = {
  /** The watched folder, absolute; null for none. */
  watched: string | null
  /** Holds the copies, absolute. */
  copies: string
  /** Days after which a file that was imported or dismissed is forgotten. */
  days: number
  /** Seconds for which a file of the watched folder must not have changed before it is taken (inbox 3). */
  quietSeconds: number
}

/** INBOX_DIR, INBOX_DAYS and INBOX_QUIET_SECONDS. */
export function inboxSettings(read: ReadVariable, dataDir: string): InboxSettings {
  const copies = join(dataDir, 'inbox')
  const watched = read<string | null>('INBOX_DIR', null, (text) => {
    const folder = resolve(text)
    const isSame = relative(copies, folder) === ''
    return isSame ? failExpected('another folder than the one that DATA_DIR keeps its copies in') : folder
  })
  return {
    watched,
    copies,
    days: read('INBOX_DAYS', 30, wholeNumber(1, 3_650)),
    quietSeconds: read('INBOX_QUIET_SECONDS', 30, wholeNumber(1, 3_600)),
  }
}
