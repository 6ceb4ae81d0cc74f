import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../../server/config/config.ts'

const folder = mkdtempSync(join(tmpdir(), 'drive-key-'))
const file = (name: string, content: unknown) => {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return join(folder, name)
}
const key = {
  client_email: 'portal@demo.iam.gserviceaccount.com',
  private_key: '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n',
}
const good = file('key.json', { ...key, type: 'service_account', project_id: 'demo' })

test('the drive is a folder of the data folder unless a setting names another', () => {
  expect(readConfig({}).drive).toEqual({ folder: resolve('data/drive'), createIfMissing: true })
  expect(readConfig({ DATA_DIR: '/srv/portal' }).drive).toEqual({
    folder: '/srv/portal/drive',
    createIfMissing: true,
  })
  expect(readConfig({ DRIVE_FOLDER: 'files' }).drive).toEqual({
    folder: resolve('files'),
    createIfMissing: false,
  })
})

test('Google Drive needs a key and a folder', () => {
  const google = {
    key: { ...key, token_uri: 'https://oauth2.googleapis.com/token' },
    folder: '1AbC-d_e',
    url: 'https://www.googleapis.com',
  }
  expect(readConfig({ DRIVE_GOOGLE_KEY_FILE: good, DRIVE_GOOGLE_FOLDER: '1AbC-d_e' }).drive).toEqual({
    google,
  })
  expect(
    readConfig({
      DRIVE_GOOGLE_KEY_FILE: good,
      DRIVE_GOOGLE_FOLDER: '1AbC-d_e',
      DRIVE_GOOGLE_URL: 'http://127.0.0.1:1/',
    }).drive,
  ).toMatchObject({ google: { url: 'http://127.0.0.1:1' } })
})

test.each<[string, string, boolean]>([
  ['x', 'http://a.example', true],
  ['x'.repeat(200), 'http://a.example//', true],
  ['x', 'http://a.example/b//c//', true],
  ['x'.repeat(201), 'http://a.example', false],
  ['§x', 'http://a.example', false],
  ['x§', 'http://a.example', false],
])('the folder %s of the drive at %s is taken: %s, without the slashes at the end', (id, url, isTaken) => {
  const env = { DRIVE_GOOGLE_KEY_FILE: good, DRIVE_GOOGLE_FOLDER: id, DRIVE_GOOGLE_URL: url }
  if (isTaken)
    expect(readConfig(env).drive).toMatchObject({
      google: { folder: id, url: url.replace(/\/+$/, '') },
    })
  else expect(() => readConfig(env)).toThrow('the id of a folder of Google Drive')
})

test('the address of the tokens is that of the key file, where it has one', () => {
  const token_uri = 'https://tokens.example.com/token'
  const env = {
    DRIVE_GOOGLE_KEY_FILE: file('elsewhere.json', { ...key, token_uri }),
    DRIVE_GOOGLE_FOLDER: 'x',
  }
  expect(readConfig(env).drive).toMatchObject({ google: { key: { ...key, token_uri } } })
})

const wantsKey = 'it must be the path of the JSON key file of a service account'
test.each<[Record<string, string>, string]>([
  [
    { DRIVE_GOOGLE_KEY_FILE: good },
    `DRIVE_GOOGLE_KEY_FILE is '${good}': it must be set together with DRIVE_GOOGLE_FOLDER`,
  ],
  [
    { DRIVE_GOOGLE_FOLDER: 'abc' },
    "DRIVE_GOOGLE_FOLDER is 'abc': it must be set together with DRIVE_GOOGLE_KEY_FILE",
  ],
  [
    { DRIVE_GOOGLE_FOLDER: 'a/b', DRIVE_GOOGLE_KEY_FILE: good },
    "DRIVE_GOOGLE_FOLDER is 'a/b': it must be the id of a folder of Google Drive",
  ],
  [{ DRIVE_GOOGLE_FOLDER: 'abc', DRIVE_GOOGLE_KEY_FILE: join(folder, 'none.json') }, wantsKey],
  [{ DRIVE_GOOGLE_FOLDER: 'abc', DRIVE_GOOGLE_KEY_FILE: file('text.json', 'no json') }, wantsKey],
  [{ DRIVE_GOOGLE_FOLDER: 'abc', DRIVE_GOOGLE_KEY_FILE: file('null.json', 'null') }, wantsKey],
  [
    { DRIVE_GOOGLE_FOLDER: 'abc', DRIVE_GOOGLE_KEY_FILE: file('half.json', { client_email: 'a@b.c' }) },
    wantsKey,
  ],
  ...Object.entries({
    nameless: { private_key: key.private_key },
    numbered: { ...key, client_email: 7 },
    public: { ...key, private_key: '-----BEGIN PUBLIC KEY-----' },
    lost: { ...key, token_uri: 'tokens' },
  }).map(([name, content]): [Record<string, string>, string] => [
    { DRIVE_GOOGLE_FOLDER: 'abc', DRIVE_GOOGLE_KEY_FILE: file(`${name}.json`, content) },
    wantsKey,
  ]),
  [
    { DRIVE_GOOGLE_FOLDER: 'abc', DRIVE_GOOGLE_KEY_FILE: good, DRIVE_GOOGLE_URL: 'ftp://x' },
    'it must be an http or https address',
  ],
  [
    { DRIVE_GOOGLE_FOLDER: 'abc', DRIVE_GOOGLE_KEY_FILE: good, DRIVE_FOLDER: 'x' },
    'it must be left out when the drive is on Google Drive',
  ],
])('%j is refused: %s', (env, sentence) => expect(() => readConfig(env)).toThrow(sentence))
