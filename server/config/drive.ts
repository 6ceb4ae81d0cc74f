import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { failExpected, parseWebAddress, type ReadVariable } from './variables.ts'

/** The used fields of the key file of a Google service account. */
export type GoogleKey = { client_email: string; private_key: string; token_uri: string }
export type DriveSettings =
  /** `createIfMissing` for the folder inside the data folder. */
  | { folder: string; createIfMissing: boolean }
  /** `folder` is the id of the shown folder. `url` is the address of Google's API, which tests replace. */
  | { google: { key: GoogleKey; folder: string; url: string } }

function readKeyFile(path: string): GoogleKey {
  const wanted = 'the path of the JSON key file of a service account'
  let read: Partial<GoogleKey> | null = null
  try {
    read = JSON.parse(readFileSync(path, 'utf8')) as Partial<GoogleKey> | null
  } catch {
    return failExpected(wanted)
  }
  const { client_email, private_key, token_uri = 'https://oauth2.googleapis.com/token' } = read ?? {}
  const isKey =
    typeof client_email === 'string' &&
    typeof private_key === 'string' &&
    private_key.includes('PRIVATE KEY') &&
    URL.canParse(token_uri)
  return isKey ? { client_email, private_key, token_uri } : failExpected(wanted)
}

/**
 * The DRIVE_… variables: the shared drive is a local folder or a folder of Google Drive (drive 6, drive 7).
 */
export function driveSettings(read: ReadVariable, dataDir: string): DriveSettings {
  const hasKey = read('DRIVE_GOOGLE_KEY_FILE', false, () => true)
  const id = read('DRIVE_GOOGLE_FOLDER', null, (text) => {
    if (!hasKey) return failExpected('set together with DRIVE_GOOGLE_KEY_FILE')
    return /^[\w-]{1,200}$/.test(text) ? text : failExpected('the id of a folder of Google Drive')
  })
  const hasFolder = read('DRIVE_GOOGLE_FOLDER', false, () => true)
  const key = read('DRIVE_GOOGLE_KEY_FILE', null, (text) =>
    hasFolder ? readKeyFile(text) : failExpected('set together with DRIVE_GOOGLE_FOLDER'),
  )
  const url = read('DRIVE_GOOGLE_URL', 'https://www.googleapis.com', (text) =>
    parseWebAddress(text) ? text.replace(/\/+$/, '') : failExpected('an http or https address'),
  )
  const folder = read('DRIVE_FOLDER', null, (text) =>
    !hasFolder ? resolve(text) : failExpected('left out when the drive is on Google Drive'),
  )
  if (id !== null && key !== null) return { google: { key, folder: id, url } }
  return folder === null
    ? { folder: join(dataDir, 'drive'), createIfMissing: true }
    : { folder, createIfMissing: false }
}
