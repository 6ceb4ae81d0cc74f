import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foldName, usernameFault } from '../../../schemas/usernames.ts'
import { foldUsernames } from '../../../server/accounts/foldUsernames.ts'
import { describeDependence } from '../../../server/accounts/userActions.ts'
import { resetPassword } from '../../../server/backup/resetPassword.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
const password = 'correct horse battery'
beforeAll(async () => {
  portal = await openTestPortal()
  admin = await portal.login('admin')
})
afterAll(() => portal.close())

const create = (username: string) =>
  admin.call('POST', '/api/v1/user', { username, password, confirm_password: password, masteragentid: 1 })
const signIn = async (username: string) => {
  await portal.db.query('delete from login_attempt')
  return (await (await portal.stranger()).call('PUT', '/api/v1/login', { username, password })).status
}

describe('a folded name', () => {
  test('is the same in small letters, in capitals, decomposed and folded again, for every character', () => {
    const differ: string[] = []
    for (let code = 0; code < 0x20000; code += 1) {
      const character = String.fromCodePoint(code)
      if (!/[\p{L}\p{M}\p{N}\p{S}]/u.test(character)) continue
      const folded = foldName(character)
      const forms = [folded, character.toLowerCase(), character.toUpperCase(), character.normalize('NFKD')]
      if (forms.some((form) => foldName(form) !== folded)) differ.push(code.toString(16))
    }
    expect(differ).toEqual([])
  })

  test.each([
    ['ADMIN', 'admin'],
    ['ﬁn', 'fin'],
    ['ＡＤＭＩＮ', 'admin'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    ['Οδυσσευς', 'οδυσσευσ'],
    ['STRASSE', 'strasse'],
    ['straße', 'strasse'],
    ['Jose\u0301', 'josé'],
  ])('of %s is %s', (name, folded) => expect(foldName(name)).toBe(folded))
})

describe('a user signs in with every spelling of the name', () => {
  test.each([
    ['İlknur', ['İlknur', 'i̇lknur', 'İLKNUR']],
    ['Οδυσσεύς', ['Οδυσσεύς', 'ΟΔΥΣΣΕΎΣ', 'οδυσσεύσ']],
    ['Σοφία', ['Σοφία', 'σοφία', 'ΣΟΦΊΑ']],
    ['Jose\u0301', ['José', 'JOSÉ', 'jose\u0301']],
    ['Groß', ['groß', 'GROSS', 'gross']],
    ['Иван', ['иван', 'ИВАН']],
    ['田中 さくら', ['田中 さくら']],
    ["O'Neil-Smith_2@office.example+x", ["o'neil-smith_2@OFFICE.example+X"]],
  ])('%s', async (name, spellings) => {
    expect((await create(name)).body.username).toBe(name.normalize('NFKC'))
    for (const spelling of spellings) {
      expect([spelling, await signIn(spelling)]).toEqual([spelling, 200])
      if (!/\u0301/.test(spelling))
        expect(await create(spelling), spelling).toMatchObject({
          status: 409,
          body: { fields: { username: 'This Username is already taken' } },
        })
    }
  })
})

test('in any spelling a user is found for a failed sign-in, in the audit and for a new password', async () => {
  expect((await create('Größe')).status).toBe(201)
  const entriesOf = (person: string) =>
    admin.call('GET', `/api/v1/audit?page=1&size=100&kind=failedlogin&person=${encodeURIComponent(person)}`)
  for (const spelling of ['größe', 'GRÖSSE', 'GRO\u0308SSE', 'ｇｒößｅ']) {
    await portal.db.query(
      'delete from login_attempt; delete from audit_repeat; alter table audit disable trigger user; delete from audit',
    )
    const typed = { username: spelling, password: 'wrong' }
    expect((await (await portal.stranger()).call('PUT', '/api/v1/login', typed)).status).toBe(401)
    const { body } = await entriesOf(spelling)
    expect([spelling, body.data.map((entry: { username: string }) => entry.username)]).toEqual([
      spelling,
      ['Größe'],
    ])
    const given = await resetPassword(portal.db, spelling)
    const signedIn = { username: 'Größe', password: given }
    expect((await (await portal.stranger()).call('PUT', '/api/v1/login', signedIn)).status).toBe(200)
  }
  expect((await entriesOf('Grö')).body.data).toEqual([])
})

/** A name in each of the scripts whose letters a name may hold beside the Latin ones. */
const writings = 'Αντώνης Ольга Արամ გიორგი דוד محمد राज রাজ ਰਾਜ રાજ ராஜ் రాజు ರಾಜ രാജ് රාජ รัก ລາວ រាជ ရာဇ አበበ'
/** Letters that look like Latin ones. */
const lookAlikes = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυικϳАВЕЅЗІЈКМНОРСТУХаеіјорсухѕһԁԛԝѵӏ'

describe('a username is refused', () => {
  const unseen = 'Username holds a character that cannot be seen'
  const mixed = 'Username must be written in the letters of one alphabet'
  const alike = 'Username looks like one in Latin letters'
  const only = (character: string) =>
    `Username may hold letters, digits, spaces and . _ - @ + ', but not ${character}`
  const accent = 'Username holds an accent without its letter, or more than two on one'
  test.each([
    ['a zero-width space', 'ad\u200bmin', unseen],
    ['a zero-width joiner', 'ad\u200dmin', unseen],
    ['a mark of direction', 'ad\u202emin', unseen],
    ['a byte order mark', 'ad\ufeffmin', unseen],
    ['a soft hyphen', 'ad\u00admin', unseen],
    ['a filler of Korean', 'ad\u3164min', unseen],
    ['a variation selector', 'admin\ufe0f', unseen],
    ['a control character', 'ad\u0007min', unseen],
    ['a line separator', 'ad\u2028min', unseen],
    ['a Cyrillic a in Latin', '\u0430dmin', mixed],
    ['a Greek o in Latin', 'b\u03bfb', mixed],
    ['a phonetic letter', '\u0251dmin', mixed],
    ['a click', 'a\u01c0b', mixed],
    ['a Cherokee letter', 'a\u13a0b', mixed],
    ['Cyrillic letters that all look Latin', '\u0430\u0441\u0435', alike],
    ['Greek capitals that all look Latin', '\u0391\u039d\u039d\u0391', alike],
    ['wide letters', '\uff21dmin', only('\uff21')],
    ['a ligature', '\ufb01n', only('\ufb01')],
    ['mathematical letters', '\u{1d41a}dmin', only('\u{1d41a}')],
    ['a space that is none', 'a\u00a0b', only('\u00a0')],
    ['a dash that is no hyphen', 'a\u2013b', only('\u2013')],
    ['an emoji', 'a😀', only('😀')],
    ['other digits', 'a\u0661', only('\u0661')],
    ['an accent at the beginning', '\u0301a', accent],
    ['an accent after a digit', '1\u0301', accent],
    ['a pile of accents', 'x\u0331\u0332\u0333', accent],
  ])('with %s', async (_, name, sentence) => {
    expect(await create(name)).toMatchObject({ status: 422, body: { fields: { username: sentence } } })
  })

  test.each([...lookAlikes])('that is the letter %s alone, which looks like a Latin one', (letter) =>
    expect(usernameFault(letter)).toBe(alike),
  )

  test.each([
    'admin',
    'Ann-Marie',
    'Łukasz',
    'Nguyễn',
    'Ștefan',
    'Zoë',
    'Αντώνης',
    'Ольга',
    '한국 金',
    '123',
    'x\u0331\u0332',
    'Țuțea',
    'カーター',
    'やまだ 山田',
    ...writings.split(' '),
  ])('but not %s', (name) => expect(usernameFault(name)).toBeNull())
})

test('names of an older database are folded at the start: the older of two alike, and both sign in', async () => {
  const { rows } = {
    rows: await portal.db.query<{ hash: string }>(
      `select password_hash as hash from portal_user where username = 'İlknur'`,
    ),
  }
  await portal.db.query(
    `insert into portal_user (username, password_hash, masteragentid) values ('Çağla', $1, 1), ('ﬁnn', $1, 1),
      ('Finn', $1, 1)`,
    [rows[0]!.hash],
  )
  await Promise.all([foldUsernames(portal.db), foldUsernames(portal.db)])
  await foldUsernames(portal.db)
  expect(
    await portal.db.query(
      `select username, foldedname from portal_user where username in ('Çağla', 'ﬁnn', 'Finn') order by id`,
    ),
  ).toEqual([
    { username: 'Çağla', foldedname: 'çağla' },
    { username: 'ﬁnn', foldedname: 'finn' },
    { username: 'Finn', foldedname: null },
  ])
  for (const [name, who] of [
    ['ÇAĞLA', 'Çağla'],
    ['FINN', 'ﬁnn'],
    ['ﬁnn', 'ﬁnn'],
    ['Finn', 'Finn'],
  ] as const) {
    expect(await signIn(name)).toBe(200)
    const [last] = await portal.db.query(
      `select u.username from session s join portal_user u on u.id = s.userid order by s.id desc limit 1`,
    )
    expect(last).toEqual({ username: who })
  }
  expect((await create('fINN')).status).toBe(409)
  for (const name of ['Finn', 'ﬁnn']) {
    const path = `/api/v1/audit?page=1&size=100&kind=login&person=${encodeURIComponent(name)}`
    const { body } = await admin.call('GET', path)
    expect(new Set(body.data.map((entry: { username: string }) => entry.username))).toEqual(new Set([name]))
  }
})

describe('what was done under a name that several deleted users had is that of', () => {
  beforeAll(() =>
    portal.db.query(
      `insert into audit (username, address, action, entity, entityid, before, at) values
        ('admin', '', 'create', 'user', '901', null, '2020-01-01'),
        ('admin', '', 'delete', 'user', '901', '{"username": "gone"}', '2020-02-01'),
        ('admin', '', 'create', 'user', '902', null, '2020-03-01'),
        ('admin', '', 'delete', 'user', '902', '{"username": "gone"}', '2020-04-01')`,
    ),
  )
  test.each([
    ['the first, before its end', '2020-01-31', '01/01/2020'],
    ['the second, after the end of the first', '2020-02-02', '03/01/2020'],
    ['the second, before its end', '2020-03-31', '03/01/2020'],
    ['the last one, after the end of all', '2020-05-01', '03/01/2020'],
  ])('%s', async (_, at, day) => {
    const acts = [
      { username: 'gone', at },
      { username: 'admin', at: '2020-06-01' },
    ] as const
    expect(await describeDependence(portal.db, ...acts)).toBe(`admin created the user gone on ${day}`)
  })
})
