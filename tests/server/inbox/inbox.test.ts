import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import type { InboxFile } from '../../../schemas/api/inbox/inbox.ts'
import type { Db } from '../../../server/db/db.ts'
import { HttpError } from '../../../server/http/errors.ts'
import { whileClaimed } from '../../../server/inbox/claims.ts'
import { describeFolderFault, isFolderFault } from '../../../server/inbox/folder.ts'
import { quietPeriod } from '../../../server/inbox/quietPeriod.ts'
import { storeFinding } from '../../../server/inbox/rows.ts'
import { createInboxWatch, type InboxWatch } from '../../../server/inbox/watch.ts'
import { csvOf, workbookOf } from '../../files/workbooks.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { whileUncommitted } from '../../whileUncommitted.ts'

vi.setConfig({ testTimeout: 60_000 })

let portal: TestPortal
let importer: SignedIn
let admin: SignedIn
/** Sees the branch of master agent 2 alone, and imports. */
let agent: SignedIn
let dataDir = ''
let watched = ''
let watch: InboxWatch
let faults: string[] = []
const minute = 60_000
let now = Date.UTC(2026, 10, 23)

const newWatch = () =>
  createInboxWatch({
    db: portal.db,
    config: portal.config,
    onFault: (reason) => faults.push(reason),
    now: () => now,
  })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portal-'))
  watched = join(dataDir, 'sftp')
  portal = await openTestPortal({
    dataDir,
    timeZone: 'UTC',
    uploadLimit: 200_000,
    inbox: { watched, copies: join(dataDir, 'inbox'), days: 30, quietSeconds: 30 },
  })
  await portal.db.query(
    `update portal_user set permissions = array_append(permissions, 'import_files') where username = 'agent'`,
  )
  await portal.db.query(`insert into processor (name) values ('Quartz'), ('Basalt')`)
  ;[importer, admin, agent] = (await Promise.all(
    ['importer', 'admin', 'agent'].map((name) => portal.login(name)),
  )) as [SignedIn, SignedIn, SignedIn]
}, 60_000)
afterAll(async () => {
  await portal.close()
  await rm(dataDir, { recursive: true, force: true })
})
beforeEach(async () => {
  await portal.db.query('delete from inbox_file')
  // A file of one row takes the place of no others, so nothing is asked about it.
  await portal.db.query(`delete from residual where processor = 'Quartz'`)
  await portal.db.query(`update import_batch set undone_at = now(), undone_by = 'x' where undone_at is null`)
  await rm(watched, { recursive: true, force: true })
  await mkdir(watched)
  faults = []
  watch = newWatch()
})
afterEach(() => watch.close())

const header = { 'content-type': 'multipart/form-data; boundary=cut' }
const bodyOf = (filename: string, content: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`--cut\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n--cut--\r\n'),
  ])
const add = (filename: string, content: string | Buffer, who = importer) =>
  who.call('POST', '/api/v1/inbox', bodyOf(filename, content), header)
const added = async (filename: string, content: string | Buffer, who = importer): Promise<InboxFile> => {
  const { status, body } = await add(filename, content, who)
  expect({ status, body }).toMatchObject({ status: 201 })
  return body as InboxFile
}
/** Adds a file that is taken for a kind if its heading is of none. */
const addAs = (kind: string, filename: string, content: string) => {
  const field = Buffer.from(`--cut\r\nContent-Disposition: form-data; name="kind"\r\n\r\n${kind}\r\n`)
  const body = Buffer.concat([field, bodyOf(filename, content)])
  return importer.call('POST', '/api/v1/inbox', body, header)
}
const act = (what: 'check' | 'import' | 'dismiss', id: number, body: object = {}, who = importer) =>
  who.call('POST', `/api/v1/inbox/${id}/${what}`, what === 'dismiss' ? undefined : body)
const list = async (query = '', who = importer) =>
  (await who.call('GET', `/api/v1/inbox${query}`)).body as {
    data: InboxFile[]
    total_length: number
    folder: unknown
  }
const shown = async (who = importer) =>
  (await list('', who)).data.map(({ filename, state }) => [filename, state])

let number = 0
/** A month of a processor that is known, for one merchant whom nobody knows; no two have the same bytes. */
const residuals = (income = '10.00') =>
  csvOf([
    ['Processor: Quartz'],
    ['Residuals of October 2026'],
    ['MID', 'Income', 'Expenses', 'Net'],
    [`9${String(++number).padStart(10, '0')}`, income, '4.00', ''],
  ])
const volume = () =>
  csvOf([
    ['MID', 'Sales Amount', 'Batch Number'],
    ['1', `${++number}.00`, 'B1'],
  ])
const batches = async () =>
  (await portal.db.query<{ n: number }>('select count(*) as n from import_batch where undone_at is null'))[0]!
    .n

const put = (name: string, content: string | Buffer) => writeFile(join(watched, name), content)
/** Scans the folder so many times, each so many seconds after the last. */
const scans = async (times: number, seconds = 30) => {
  for (let scan = 0; scan < times; scan++) {
    await watch.scan()
    now += seconds * 1000
  }
}

describe('a file that is added', () => {
  test('is recognised and previewed, and nothing of it is stored', async () => {
    const before = await batches()
    const file = await added('any name.csv', residuals())
    expect(file).toMatchObject({
      state: 'ready',
      kind: 'compdata',
      processor: 'Quartz',
      month: '2026-10',
      username: 'importer',
      source: 'upload',
      preview: { inserted: 1, rejected: 0, totals: { rows: 1, net: 6 } },
    })
    expect(await batches()).toBe(before)
    expect(existsSync(join(dataDir, 'inbox', file.sha256))).toBe(true)
    expect(await readdir(join(dataDir, 'tmp'))).toEqual([])
  })

  test('is imported by a person, in one batch that the file names; then nobody can import or dismiss it', async () => {
    const file = await added('a.csv', residuals())
    const { status, body } = await act('import', file.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ state: 'imported', by: 'importer', stored: { inserted: 1, updated: 0 } })
    const [batch] = await portal.db.query(
      'select filename, sha256, username from import_batch where id = $1',
      [body.stored.batch],
    )
    expect(batch).toEqual({ filename: 'a.csv', sha256: file.sha256, username: 'importer' })
    expect(await shown()).toEqual([])
    expect((await list('?ended=1')).data.map(({ id }) => id)).toEqual([file.id])
    for (const what of ['import', 'dismiss', 'check'] as const)
      expect(await act(what, file.id, {}, admin)).toMatchObject({
        status: 409,
        body: { error: 'a.csv was imported by importer' },
      })
  })

  test('with faults is refused, lists them, and is not imported', async () => {
    const file = await added('a.csv', residuals('ten'))
    expect(file).toMatchObject({ state: 'refused', faults: { more: 0 } })
    expect(file.faults!.rows[0]).toMatchObject({ row: 4, column: 'Income', value: 'ten' })
    const before = await batches()
    expect(await act('import', file.id)).toMatchObject({ status: 422, body: { rows: [{ row: 4 }] } })
    expect(await batches()).toBe(before)
    expect(await shown()).toEqual([['a.csv', 'refused']])
  })

  test.each([
    [100, 0],
    [101, 1],
  ])(
    'with %i faults lists 100 of them and counts %i more, also when it is imported',
    async (faults, more) => {
      const rows = Array.from({ length: faults }, (_, at) => [`7${at}`, 'ten', '4.00', ''])
      const head = ['MID', 'Income', 'Expenses', 'Net']
      const content = csvOf([['Processor: Quartz'], ['Residuals of October 2026'], head, ...rows])
      const file = await added('a.csv', content)
      const answer = await act('import', file.id)
      expect([file.faults, answer.body].map((it) => [it.rows.length, it.more])).toEqual([
        [100, more],
        [100, more],
      ])
      expect((await list()).data).toMatchObject([{ faults: { more } }])
    },
  )

  test('that takes the place of another one asks whether it may, and is ready once that was accepted', async () => {
    const first = await added('a.csv', residuals())
    await act('import', first.id)
    const second = await added('b.csv', residuals())
    expect(second).toMatchObject({ state: 'asks', month: '2026-10', processor: 'Quartz' })
    const accepted = second.asks!.questions!.map(({ key }) => key)
    expect(accepted.length).toBeGreaterThan(0)
    const answers = { accepted }
    expect((await act('check', second.id, { answers })).body).toMatchObject({ state: 'ready', asks: null })
    expect((await act('import', second.id)).body).toMatchObject({ state: 'imported' })
  })

  test('and imported says no more what it was found to be before', async () => {
    const file = await added('a.csv', residuals())
    await portal.db.query(
      `update inbox_file set asks = '{"date": true}', message = 'Of which day is the file?',
          faults = '{"rows": [], "more": 1}', repeated = '{"username": "x", "importedat": 1}'`,
    )
    const repeated = { username: 'x', importedat: 1, subject: null }
    expect((await list()).data).toMatchObject([{ asks: { date: true }, faults: { more: 1 }, repeated }])
    expect((await act('import', file.id)).body).toMatchObject({
      state: 'imported',
      asks: null,
      message: null,
      faults: null,
      repeated: null,
    })
  })

  test('whose own total alone differs from its rows is refused and says so', async () => {
    const file = await added('a.csv', `${residuals()}Total,11.00,,\r\n`)
    expect(file).toMatchObject({
      state: 'refused',
      faults: {
        rows: [{ row: 5, message: 'The total of Income is 11.00, but the rows above add up to 10.00' }],
        more: 0,
      },
    })
  })

  test('and dismissed is not checked again while the same bytes wait, and says under which name', async () => {
    const content = residuals()
    const first = await added('a.csv', content)
    await act('dismiss', first.id)
    const second = await added('b.csv', content)
    expect(await act('check', first.id)).toMatchObject({
      status: 409,
      body: { error: 'The content of a.csv waits in the inbox already, as b.csv' },
    })
    expect(await shown()).toEqual([['b.csv', 'ready']])
    await act('dismiss', second.id)
    expect(await act('check', first.id)).toMatchObject({ status: 200, body: { state: 'ready' } })
  })

  test('whose kind is not clear asks for it; the answer decides, and another answer replaces it', async () => {
    const file = await added(
      'a.csv',
      csvOf([
        ['MID', 'Status'],
        ['1', 'Compliant'],
      ]),
    )
    expect(file).toMatchObject({
      state: 'asks',
      kind: null,
      asks: { kind: { candidates: ['pcicompliance', 'tinvalidation'], proposed: 'pcicompliance' } },
      message: 'The file may be of several kinds. Which one is it?',
    })
    const pci = await act('check', file.id, { answers: { kind: 'pcicompliance' } })
    expect(pci).toMatchObject({ status: 200, body: { state: 'ready', kind: 'pcicompliance' } })
    const tin = await act('check', file.id, { answers: { kind: 'tinvalidation' } })
    expect(tin).toMatchObject({ status: 200, body: { state: 'refused', kind: 'tinvalidation' } })
    expect((await act('check', file.id, { answers: {} })).body).toMatchObject({ state: 'asks', kind: null })
  })

  test('of a day asks for the day, and is stored for the day that was answered', async () => {
    const file = await added('v.csv', volume())
    const message = 'Of which day is the file?'
    expect(file).toMatchObject({
      state: 'asks',
      kind: 'dailyvolume',
      asks: { date: true },
      date: null,
      message,
    })
    expect(await act('import', file.id)).toMatchObject({
      status: 409,
      body: { code: 'asks', error: message },
    })
    const dated = await act('check', file.id, { answers: { date: '2026-10-31' } })
    expect(dated.body).toMatchObject({ state: 'ready', date: '2026-10-31' })
    const { body } = await act('import', file.id)
    const days = await portal.db.query(
      'select volumedate::text as day from daily_volume where batchid = $1',
      [body.stored.batch],
    )
    expect(days).toEqual([{ day: '2026-10-31' }])
  })

  test('that says no month asks for it as the import screen does', async () => {
    const file = await added(
      'Quartz.csv',
      csvOf([
        ['MID', 'Net'],
        [`8${++number}`, '5'],
      ]),
    )
    expect(file).toMatchObject({
      state: 'asks',
      asks: { source: { needs: ['month'], processor: 'Quartz' } },
      processor: 'Quartz',
      month: null,
    })
    expect(await act('import', file.id)).toMatchObject({ status: 409, body: { code: 'asks' } })
    const { body } = await act('check', file.id, { answers: { month: '2026-10' } })
    expect(body).toMatchObject({ state: 'ready', month: '2026-10', processor: 'Quartz' })
  })

  test.each([
    ['Quartz (1).csv', 201, 'Quartz.csv'],
    ['a.b.CSV', 201, 'a-b.csv'],
    ['a.txt', 422, 'Invalid file name format: The name must end with .csv, .xlsx or .xls.'],
  ])('under the name %s: %i, %s', async (name, status, says) => {
    const { status: answered, body } = await add(name, residuals())
    expect([answered, body.filename ?? body.error]).toEqual([status, says])
    expect(body.fields?.fileName).toBe(status === 422 ? says : undefined)
  })

  test.each([
    ['is empty', Buffer.alloc(0), 422, 'The file is empty'],
    ['has one byte more than the limit', Buffer.alloc(200_001, 'a'), 413, 'The file is larger than 0 MB'],
  ])('that %s is refused and leaves nothing', async (_, content, status, error) => {
    const copies = await readdir(join(dataDir, 'inbox'))
    expect(await add('a.csv', content)).toMatchObject({ status, body: { error } })
    expect(await shown()).toEqual([])
    expect(await readdir(join(dataDir, 'inbox'))).toEqual(copies)
    expect(await readdir(join(dataDir, 'tmp'))).toEqual([])
  })

  test('is refused with 507 when too little of the disk is free, and leaves nothing', async () => {
    const { importLimits } = portal.config
    const { freeDiskMb } = importLimits
    importLimits.freeDiskMb = 1e9
    const { status } = await add('a.csv', residuals())
    importLimits.freeDiskMb = freeDiskMb
    expect(status).toBe(507)
    expect(await shown()).toEqual([])
    expect(await readdir(join(dataDir, 'tmp'))).toEqual([])
  })

  test('that the portal lost the copy of says so, and can be dismissed', async () => {
    const file = await added('a.csv', residuals())
    await rm(join(dataDir, 'inbox', file.sha256))
    const { status, body } = await act('import', file.id)
    expect([status, body.error]).toEqual([
      422,
      'The copy of a.csv is not on the disk of the portal any more. Dismiss it and add the file again.',
    ])
    expect((await act('dismiss', file.id)).body).toMatchObject({ state: 'dismissed', by: 'importer' })
  })
})

describe('the same bytes', () => {
  test('wait once, no matter which of those who see all adds them, and how', async () => {
    const content = residuals()
    const first = await added('a.csv', content)
    expect((await added('b.csv', content, admin)).id).toBe(first.id)
    await put('c.csv', content)
    await scans(2)
    await put('d.csv', content)
    await scans(2)
    expect((await added('e.csv', content, admin)).id).toBe(first.id)
    // That of the folder is another sender; it waits once as well.
    expect(await shown()).toEqual([
      ['a.csv', 'ready'],
      ['c.csv', 'ready'],
    ])
    expect(await readdir(join(watched, '.taken'))).toEqual(['c.csv', 'd.csv'])
  })

  test('that were imported by the screen are not imported again unless somebody says so', async () => {
    const content = residuals()
    const screen = await importer.call('POST', '/api/v1/file/compdata', bodyOf('s.csv', content), header)
    expect(screen.status).toBe(200)
    const file = await added('a.csv', content, admin)
    expect(file).toMatchObject({ state: 'repeated', repeated: { username: 'importer' } })
    const before = await batches()
    expect(await act('import', file.id, {}, admin)).toMatchObject({
      status: 409,
      body: { code: 'repeated', ...file.repeated },
    })
    expect(await batches()).toBe(before)
    expect((await act('import', file.id, { again: true }, admin)).body).toMatchObject({ state: 'imported' })
    expect(await batches()).toBe(before + 1)
  })

  test('for another month are asked about, and imported when somebody says so', async () => {
    const content = csvOf([
      ['MID', 'Net'],
      [`7${++number}`, '5'],
    ])
    const send = (month: string) =>
      importer.call('POST', '/api/v1/file/compdata', bodyOf(`Quartz_${month}2026.csv`, content), header)
    expect(await send('October')).toMatchObject({ status: 200 })
    const refused = await send('November')
    expect(refused).toMatchObject({ status: 409, body: { code: 'repeated', subject: 'October 2026' } })
    expect(refused.body.error).toContain('This file was imported already, for October 2026, by importer on ')
    const { id } = await added('Quartz.csv', content)
    const answers = { month: '2026-11' }
    const asked = await act('check', id, { answers })
    expect(asked.body).toMatchObject({ state: 'repeated', repeated: { subject: 'October 2026' } })
    expect(await act('import', id, { answers })).toMatchObject({ status: 409, body: { code: 'repeated' } })
    const imported = await act('import', id, { answers, again: true })
    expect(imported.body).toMatchObject({ state: 'imported' })
  })

  test('imported from the inbox and from the folder enter once', async () => {
    const content = residuals()
    const file = await added('a.csv', content)
    await put('b.csv', content)
    await scans(2)
    const other = (await list()).data.find(({ filename }) => filename === 'b.csv')!
    expect(other.state).toBe('ready')
    await act('import', file.id)
    expect(await act('import', other.id)).toMatchObject({ status: 409, body: { code: 'repeated' } })
    expect(await shown()).toEqual([['b.csv', 'repeated']])
  })

  test('whose import was undone can be checked and imported again', async () => {
    const file = await added('a.csv', residuals())
    const { body } = await act('import', file.id)
    const undo = await importer.call('POST', `/api/v1/file/compdata/${body.stored.batch}/undo`)
    expect(undo.status).toBe(200)
    expect((await list('?ended=1')).data).toMatchObject([{ state: 'undone' }])
    expect(await act('import', file.id)).toMatchObject({
      status: 409,
      body: { error: 'The import of a.csv was undone; check the file again before it is imported' },
    })
    expect((await act('check', file.id)).body).toMatchObject({ state: 'ready', endedat: null, stored: null })
    expect((await act('import', file.id)).body).toMatchObject({ state: 'imported' })
  })
})

describe('a refused file', () => {
  const replaced = { state: 'replaced', by: 'importer', stored: null, faults: { more: 0 } }
  const ended = async (who = importer) =>
    (await list('?ended=1', who)).data.map(({ filename, state, note }) => [filename, state, note])

  test('leaves the waiting ones once it is imported as mended, and says by which file', async () => {
    const refused = await added('Quartz.csv', residuals('ten'))
    const mended = await added('Quartz.csv', residuals())
    expect(await shown()).toEqual([
      ['Quartz.csv', 'refused'],
      ['Quartz.csv', 'ready'],
    ])
    await act('import', mended.id)
    expect(await shown()).toEqual([])
    expect((await list('?ended=1')).data.find(({ id }) => id === refused.id)).toMatchObject({
      ...replaced,
      note: 'Quartz.csv was imported in its place.',
    })
    for (const what of ['import', 'dismiss'] as const)
      expect(await act(what, refused.id)).toMatchObject({
        status: 409,
        body: { error: 'Quartz.csv was replaced in an import by importer' },
      })
    const [entry] = await portal.db.query(
      `select username, address, action, after from audit
        where entity = 'inbox file' and entityid = $1 order by id desc limit 1`,
      [String(refused.id)],
    )
    expect(entry).toEqual({
      username: 'importer',
      address: '127.0.0.1',
      action: 'dismiss',
      after: { filename: 'Quartz.csv', sha256: refused.sha256, replacedby: 'Quartz.csv' },
    })
    expect((await act('check', refused.id)).body).toMatchObject({ state: 'refused', note: null })
    expect((await act('dismiss', refused.id)).body).toMatchObject({ state: 'dismissed', note: null })
  })

  test('is replaced by a file of its processor and month under another name, also by the screen', async () => {
    await added('first.csv', residuals('ten'))
    const screen = await importer.call('POST', '/api/v1/file/compdata', bodyOf('s.csv', residuals()), header)
    expect(screen.status).toBe(200)
    expect(await ended()).toEqual([['first.csv', 'replaced', 's.csv was imported in its place.']])
    await importer.call('POST', `/api/v1/file/compdata/${screen.body.batch}/undo`)
    const undone = 's.csv was imported in its place, and that import was undone.'
    expect(await ended()).toEqual([['first.csv', 'replaced', undone]])
  })

  test.each<[what: string, name: string, content: () => string, answers: object]>([
    ['another month', 'Quartz.csv', () => residuals().replace('October', 'November'), {}],
    ['another processor', 'Basalt.csv', () => residuals().replace('Quartz', 'Basalt'), {}],
    ['the rejected rows alone', 'Quartz rejected.csv', () => residuals(), {}],
    ['another kind', 'Quartz.csv', volume, { date: '2026-10-25' }],
  ])('waits on after the import of %s', async (_, name, content, answers) => {
    await added('Quartz.csv', residuals('ten'))
    const other = await added(name, content())
    expect((await act('import', other.id, { answers })).body).toMatchObject({ state: 'imported' })
    expect(await shown()).toEqual([['Quartz.csv', 'refused']])
  })

  test.each(['kind', 'processor', 'month'])(
    'of which no %s is known is replaced by a file of its name',
    async (unknown) => {
      const refused = await added('Quartz.csv', residuals('ten'))
      await portal.db.query(`update inbox_file set ${unknown} = null where id = $1`, [refused.id])
      const mended = await added('Quartz.csv', residuals())
      await act('import', mended.id)
      expect(await shown()).toEqual([])
    },
  )

  test('is replaced by one of its name in other letters and with another ending', async () => {
    const day = { answers: { date: '2026-10-21' } }
    const broken = await added('Volume.csv', volume().replace('B1', 'B1\r\n2,x,B2'))
    await act('check', broken.id, day)
    const rows = [
      ['MID', 'Sales Amount', 'Batch Number'],
      ['1', `${++number}.00`, 'B1'],
    ]
    const mended = await added('VOLUME.xlsx', workbookOf('xlsx', { S: rows }))
    expect((await act('import', mended.id, day)).body).toMatchObject({ state: 'imported' })
    expect(await shown()).toEqual([])
  })

  test('that came after the file that is imported, or is of another day, waits on', async () => {
    const day = { answers: { date: '2026-10-24' } }
    const earlier = await added('volume.csv', volume())
    const broken = await added('volume.csv', volume().replace('B1', 'B1\r\n2,x,B2'))
    expect((await act('check', broken.id, day)).body).toMatchObject({ state: 'refused' })
    await act('import', earlier.id, day)
    expect(await shown()).toEqual([['volume.csv', 'refused']])
    const other = await added('volume.csv', volume())
    await act('import', other.id, { answers: { date: '2026-10-23' } })
    expect(await shown()).toEqual([['volume.csv', 'refused']])
    const same = await added('volume.csv', volume())
    await act('import', same.id, day)
    expect(await shown()).toEqual([])
  })

  test.each([
    ['changed after it was taken', 'outgrown = true'],
    ['is checked at this moment', `claim = gen_random_uuid(), claimfor = 'check', claimed_at = now()`],
  ])('that %s waits on', async (_, change) => {
    const refused = await added('Quartz.csv', residuals('ten'))
    const mended = await added('Quartz.csv', residuals())
    await portal.db.query(`update inbox_file set ${change} where id = $1`, [refused.id])
    await act('import', mended.id)
    expect((await list()).data.map(({ id }) => id)).toEqual([refused.id])
  })

  test('of others waits on when who sees a branch alone imports its like', async () => {
    const day = { answers: { date: '2026-10-22' } }
    const broken = await added('v.csv', volume().replace('B1', 'B1\r\n2,x,B2'))
    await act('check', broken.id, day)
    const [merchant] = await portal.db.query<{ xmid: string }>(
      'select xmid from merchant where masteragentid = 2 limit 1',
    )
    const own = volume().replace('\n1,', `\n${merchant!.xmid},`)
    const mine = await added('v.csv', own, agent)
    expect((await act('import', mine.id, day, agent)).body).toMatchObject({ state: 'imported' })
    expect(await shown()).toEqual([['v.csv', 'refused']])
  })
})

describe('two at a time', () => {
  test('who import one file: one does, the other is answered who', async () => {
    const file = await added('a.csv', residuals())
    const before = await batches()
    const [one, other] = await Promise.all([act('import', file.id), act('import', file.id, {}, admin)])
    expect([one.status, other.status].toSorted()).toEqual([200, 409])
    const refused = one.status === 409 ? one : other
    expect(refused.body.error).toMatch(/^a\.csv (is being|was) imported by (importer|admin)/)
    expect(await batches()).toBe(before + 1)
  })

  test.each([
    ['import', 'ann', 'importing', 'a.csv is being imported by ann at this moment'],
    ['check', 'ann', 'checking', 'a.csv is being checked by ann at this moment'],
    ['check', '', 'checking', 'a.csv is being checked by the portal at this moment'],
  ])('one cannot dismiss, check or import during the %s of %j', async (purpose, by, state, error) => {
    const file = await added('a.csv', residuals())
    await portal.db.query(
      `update inbox_file set claim = gen_random_uuid(), claimfor = $1, claimedby = $2, claimed_at = now()`,
      [purpose, by],
    )
    expect(await shown()).toEqual([['a.csv', state]])
    for (const what of ['import', 'dismiss', 'check'] as const)
      expect(await act(what, file.id)).toMatchObject({ status: 409, body: { error } })
  })

  test.each([
    [29, 'importing'],
    [31, 'ready'],
  ])('a claim that was renewed %i seconds ago: the file is %s', async (seconds, state) => {
    await added('a.csv', residuals())
    await portal.db.query(
      `update inbox_file set claim = gen_random_uuid(), claimfor = 'import', claimedby = 'ann',
        claimed_at = now() - $1::int * interval '1 second'`,
      [seconds],
    )
    expect(await shown()).toEqual([['a.csv', state]])
  })

  test('a claim is renewed every ten seconds while its work goes on', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { id } = await added('a.csv', residuals())
    const request = { id, purpose: 'import', username: 'ann', answers: null } as const
    await whileClaimed(portal.db, { ...request, viewer: { userid: 0, scope: null } }, async () => {
      await portal.db.query(`update inbox_file set claimed_at = now() - interval '29 seconds'`)
      vi.advanceTimersByTime(9_999)
      const isFresh = async () =>
        (await portal.db.query(`select claimed_at > now() - interval '9 seconds' as it from inbox_file`))[0]![
          'it'
        ]
      expect(await isFresh()).toBe(false)
      vi.advanceTimersByTime(1)
      // A poll would go on with the time.
      vi.useRealTimers()
      await expect.poll(isFresh).toBe(true)
    })
    expect(await shown()).toEqual([['a.csv', 'ready']])
  })

  test('a process whose claim ran out stores nothing', async () => {
    const file = await added('a.csv', residuals())
    const before = await batches()
    const reply = await whileUncommitted(
      portal.db,
      async (tx) => {
        // The import waits for its kind; meanwhile the claim is another's.
        await tx.query(`select pg_advisory_xact_lock(hashtext('import residual'))`)
        await tx.query(`select pg_advisory_xact_lock(hashtext('import compdata'))`)
      },
      () => act('import', file.id),
      () => portal.db.query('update inbox_file set claim = gen_random_uuid() where claim is not null'),
    )
    expect(reply).toMatchObject({ status: 409, body: { error: expect.stringContaining('taken over') } })
    expect(await batches()).toBe(before)
    expect(await portal.db.query('select from inbox_file where claim is not null')).toHaveLength(1)
  })

  test('a process whose claim ran out does not bring back what was dismissed meanwhile', async () => {
    const file = await added('a.csv', residuals())
    const claim = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
    await portal.db.query(
      `update inbox_file set claim = $1, claimfor = 'check', claimedby = 'ann',
        claimed_at = now() - interval '31 seconds'`,
      [claim],
    )
    expect((await act('dismiss', file.id)).body).toMatchObject({ state: 'dismissed' })
    await storeFinding(portal.db, claim, null, {
      state: 'ready',
      kind: 'compdata',
      month: null,
      processor: null,
      asks: null,
      preview: null,
      faults: null,
      message: null,
      repeated: null,
    })
    expect((await list('?ended=1')).data).toMatchObject([{ id: file.id, state: 'dismissed' }])
  })
})

describe('the watched folder', () => {
  test('gives a file that is the same for 30 seconds; it is checked, and the original is moved aside', async () => {
    const content = residuals()
    await put('Quartz.csv', content)
    await scans(10, 3)
    expect(await shown()).toEqual([])
    await watch.scan()
    expect((await list()).data).toMatchObject([
      { filename: 'Quartz.csv', state: 'ready', source: 'folder', username: '', processor: 'Quartz' },
    ])
    expect(await readdir(watched)).toEqual(['.taken'])
    expect(await readFile(join(watched, '.taken/Quartz.csv'), 'utf8')).toBe(content)
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(await readFile(join(dataDir, 'inbox', sha256), 'utf8')).toBe(content)
  })

  test.each<[string, () => Promise<void>]>([
    ['its size', () => put('a.csv', `${residuals()}\r\n`)],
    ['its time alone', () => utimes(join(watched, 'a.csv'), 1, 1)],
  ])('leaves a file while %s changes', async (_, change) => {
    await put('a.csv', residuals())
    await scans(1, 29)
    await change()
    await scans(1, 29)
    await watch.scan()
    expect([await shown(), await readdir(watched)]).toEqual([[], ['a.csv']])
    now += 1_000
    await watch.scan()
    expect(await readdir(watched)).toEqual(['.taken'])
  })

  test.runIf(process.platform === 'linux')('never takes a link, nor a name that is no text', async () => {
    await writeFile(join(dataDir, 'outside.csv'), residuals())
    await symlink(join(dataDir, 'outside.csv'), join(watched, 'link.csv'))
    await writeFile(Buffer.from(`${watched}/\xff.csv`, 'latin1'), residuals())
    await scans(3)
    expect(await shown()).toEqual([])
    const left = [{ filename: '\ufffd.csv', reason: 'The name cannot be read.' }]
    expect((await list()).folder).toEqual({ fault: null, left, more: 0 })
  })

  test.each<[object, isOfFolder: boolean, sentence: string]>([
    [{ code: 'ENOENT', path: '/in' }, true, 'The watched folder does not exist.'],
    [{ code: 'ENOTDIR', path: '/in' }, true, 'The watched folder is a file and no folder.'],
    [{ code: 'EACCES', path: '/in' }, true, 'The portal has no right to read the watched folder and to move'],
    [{ code: 'EPERM', path: '/in' }, true, 'The portal has no right to read the watched folder and to move'],
    [{ code: 'ENOSPC' }, true, 'There is no room on the disk for the files of the watched folder.'],
    [{ code: 'EFBIG' }, true, 'There is no room on the disk for the files of the watched folder.'],
    [{ code: 'EDQUOT' }, true, 'There is no room on the disk for the files of the watched folder.'],
    [new HttpError(507, 'x'), true, 'There is no room on the disk for the files of the watched folder.'],
    [{ code: 'EIO', path: '/in' }, true, 'The watched folder cannot be used: EIO.'],
    [{ message: 'odd', path: '/in' }, true, 'The watched folder cannot be used: odd.'],
    [{ code: '57P01', message: 'terminating connection' }, false, ''],
    [new HttpError(503, 'x'), false, ''],
  ])('of the error %j: it is one of the folder %s, in the words %s', (error, isOfFolder, sentence) => {
    expect(isFolderFault(error)).toBe(isOfFolder)
    if (isOfFolder) expect(describeFolderFault(error)).toContain(sentence)
  })

  test.each(['.hidden.csv', 'a.csv.part', 'a.tmp', 'a.csv.FilePart'])('never takes %s', async (name) => {
    await put(name, residuals())
    await scans(3)
    expect(await readdir(watched)).toEqual([name])
    expect((await list()).folder).toEqual({ fault: null, left: [], more: 0 })
  })

  test('names what it does not take, each with the reason, and counts what is beyond twenty', async () => {
    await put('a.txt', 'x')
    await put('empty.csv', '')
    await put('large.csv', Buffer.alloc(200_001, 'a'))
    await put('limit.csv', Buffer.alloc(200_000, 'a'))
    await mkdir(join(watched, 'folder.csv'))
    await scans(2)
    expect((await list()).folder).toEqual({
      fault: null,
      left: [
        {
          filename: 'a.txt',
          reason: 'Invalid file name format: The name must end with .csv, .xlsx or .xls.',
        },
        { filename: 'empty.csv', reason: 'The file is empty, or has only begun to come.' },
        { filename: 'large.csv', reason: 'The file is larger than 0 MB.' },
      ],
      more: 0,
    })
    for (let at = 0; at < 18; at++) await put(`b${at}.txt`, 'x')
    expect((await list()).folder).toMatchObject({ left: { length: 20 }, more: 1 })
  })

  test('gives a second file of the same name, and moves it aside with a number', async () => {
    await put('a (1).csv', residuals())
    await scans(2)
    await put('a (1).csv', residuals())
    await scans(2)
    expect(await readdir(join(watched, '.taken'))).toEqual(['a (1) 2.csv', 'a (1).csv'])
    expect(await shown()).toEqual([
      ['a.csv', 'ready'],
      ['a.csv', 'ready'],
    ])
  })

  test('that two portals watch gives each file once', async () => {
    const second = newWatch()
    for (let at = 0; at < 3; at++) await put(`${at}.csv`, residuals())
    for (let at = 0; at < 3; at++) {
      await Promise.all([watch.scan(), second.scan()])
      now += 30_000
    }
    await second.close()
    expect((await shown()).map(([name]) => name)).toEqual(['0.csv', '1.csv', '2.csv'])
    expect(await readdir(join(watched, '.taken'))).toHaveLength(3)
    expect(faults).toEqual([])
  })

  test('keeps another file that took the name of one while that was copied, and gives it, too', async () => {
    const [first, second] = [residuals(), residuals('20.00')]
    let isReplaced = false
    const replacing: Db = {
      ...portal.db,
      async transaction(work) {
        const done = await portal.db.transaction(work)
        // The first transaction to end is that in which the copy got its row.
        if (!isReplaced && (await shown()).length === 1) {
          isReplaced = true
          await put('next', second)
          await rename(join(watched, 'next'), join(watched, 'a.csv'))
        }
        return done
      },
    }
    await put('a.csv', first)
    await scans(1)
    await watch.close()
    watch = createInboxWatch({
      db: replacing,
      config: portal.config,
      onFault: (it) => faults.push(it),
      now: () => now,
    })
    await scans(2)
    expect([isReplaced, await readFile(join(watched, 'a.csv'), 'utf8')]).toEqual([true, second])
    await scans(2)
    expect(await readdir(watched)).toEqual(['.taken'])
    expect((await list()).data.map(({ preview }) => preview?.totals)).toMatchObject([{ net: 6 }, { net: 16 }])
  })

  test('that goes away is logged once and shown on the screen, and serves again when it is back', async () => {
    await rm(watched, { recursive: true })
    await scans(3)
    expect(faults).toEqual(['The watched folder does not exist.'])
    expect((await list()).folder).toEqual({ fault: 'The watched folder does not exist.', left: [], more: 0 })
    await mkdir(watched)
    await put('a.csv', residuals())
    await scans(2)
    expect(await shown()).toEqual([['a.csv', 'ready']])
    await rm(watched, { recursive: true })
    await watch.scan()
    expect(faults).toHaveLength(2)
  })

  test('is not looked at any more once its watch has ended', async () => {
    await put('a.csv', residuals())
    await scans(1)
    await watch.close()
    await scans(2)
    expect([await shown(), await readdir(watched)]).toEqual([[], ['a.csv']])
  })

  test('has a file whose check found no room checked again after 30 seconds, and a file that was added not', async () => {
    const { importLimits } = portal.config
    const { freeDiskMb } = importLimits
    await added('sent.csv', residuals())
    await put('Quartz.csv', residuals())
    await scans(2)
    await portal.db.query(`update inbox_file set state = 'waiting', checked_at = null, preview = null`)
    importLimits.freeDiskMb = 1e9
    await watch.scan()
    importLimits.freeDiskMb = freeDiskMb
    const waiting = { state: 'waiting', preview: null }
    expect((await list()).data).toMatchObject([
      { ...waiting, message: null },
      { ...waiting, message: expect.stringContaining('no room') },
    ])
    for (const [seconds, state] of [
      [0, 'waiting'],
      [29, 'waiting'],
      [31, 'ready'],
    ] as const) {
      await portal.db.query(
        `update inbox_file set checked_at = checked_at - $1::int * interval '1 second' where source = 'folder'`,
        [seconds],
      )
      await watch.scan()
      expect(await shown()).toEqual([
        ['sent.csv', 'waiting'],
        ['Quartz.csv', state],
      ])
      if (state === 'waiting')
        await portal.db.query(
          `update inbox_file set checked_at = checked_at + $1::int * interval '1 second' where source = 'folder'`,
          [seconds],
        )
    }
    expect((await list()).data[1]).toMatchObject({ message: null })
  })

  test('whose files find no room keeps them, logs it once, and gives them when there is room', async () => {
    const { importLimits } = portal.config
    const { freeDiskMb } = importLimits
    importLimits.freeDiskMb = 1e9
    await put('a.csv', residuals())
    await scans(4)
    importLimits.freeDiskMb = freeDiskMb
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain('no room')
    expect(await readdir(watched)).toEqual(['a.csv'])
    await watch.scan()
    expect(await shown()).toEqual([['a.csv', 'ready']])
  })
})

describe('a file of the folder that grows after it was taken', () => {
  /** Two merchants of one month; the first line of them is what a sender that pauses has written. */
  const written = () => {
    const first = residuals()
    return { half: first, whole: `${first}${residuals('20.00').split('\n').slice(3).join('\n')}` }
  }
  const taken = async (half: string) => {
    await put('a.csv', half)
    await scans(2)
    const [file] = (await list()).data
    expect(file).toMatchObject({ state: 'ready', preview: { totals: { rows: 1, net: 6 } } })
    return file!
  }
  /** Goes on as the sender does, who has the file open under whatever name. */
  const goOn = (whole: string, name = 'a.csv') => writeFile(join(watched, '.taken', name), whole)
  const grew = (half: string, whole: string) =>
    `a.csv grew after it was taken: ${half.length} bytes were read, and it has ${whole.length} bytes now.`

  test('is kept from being imported, and its whole content is taken in its place once it is quiet', async () => {
    const { half, whole } = written()
    const file = await taken(half)
    await goOn(whole)
    await watch.scan()
    const says = `${grew(half, whole)} It is read again once it has not changed for 30 seconds.`
    expect((await list()).data).toMatchObject([{ id: file.id, state: 'outgrown', note: says }])
    const before = await batches()
    for (const what of ['import', 'check'] as const)
      expect(await act(what, file.id)).toMatchObject({ status: 409, body: { error: says } })
    now += 29_000
    await watch.scan()
    expect((await list()).data).toMatchObject([{ id: file.id, state: 'outgrown' }])
    now += 1_000
    await watch.scan()
    expect(await batches()).toBe(before)
    expect((await list()).data).toMatchObject([
      {
        id: file.id,
        state: 'ready',
        note: `${grew(half, whole)} It was taken anew.`,
        size: whole.length,
        preview: { totals: { rows: 2, net: 22 } },
      },
    ])
    await utimes(join(watched, '.taken/a.csv'), 1, 1)
    await scans(2)
    expect((await act('import', file.id)).body).toMatchObject({
      state: 'imported',
      stored: { inserted: 2 },
      note: `${grew(half, whole)} It was taken anew.`,
    })
  })

  test('loses the answers that were given for the former content', async () => {
    const days = ['10.00', '20.00'].map((sales) => ['12345678901', sales, `Y${++number}`])
    const contentOf = (rows: string[][]) => csvOf([['MID', 'Sales Amount', 'Batch Number'], ...rows])
    await put('a.csv', contentOf(days.slice(0, 1)))
    await scans(2)
    const [file] = (await list()).data
    const answered = await act('check', file!.id, { answers: { date: '2026-10-26' } })
    expect(answered.body).toMatchObject({ state: 'ready', date: '2026-10-26' })
    // A check of the former content is under way.
    await portal.db.query(
      `update inbox_file set claim = gen_random_uuid(), claimfor = 'check', claimedby = 'ann', claimed_at = now()`,
    )
    await goOn(contentOf(days))
    await scans(2)
    expect((await list()).data).toMatchObject([
      { id: file!.id, state: 'asks', asks: { date: true }, date: null, answers: {} },
    ])
  })

  test('is not imported by a person who imports it before the next scan', async () => {
    const { half, whole } = written()
    const file = await taken(half)
    await goOn(whole)
    const before = await batches()
    expect(await act('import', file.id)).toMatchObject({
      status: 409,
      body: { error: `${grew(half, whole)} Nothing was stored.` },
    })
    expect(await batches()).toBe(before)
  })

  test('is said to have been imported too short, and the whole file waits beside it', async () => {
    const { half, whole } = written()
    const file = await taken(half)
    await act('import', file.id)
    await goOn(whole)
    await scans(2)
    expect((await list()).data).toMatchObject([
      {
        filename: 'a.csv',
        size: whole.length,
        note:
          `${grew(half, whole)} What was read first was imported by importer; ` +
          'this is what it holds now.',
      },
    ])
    expect((await list('?ended=1')).data).toMatchObject([
      { id: file.id, note: `${grew(half, whole)} What it holds now waits as a new file.` },
    ])
    await scans(2)
    expect(await shown()).toHaveLength(1)
  })

  test('and whose dismissal is just being stored stays dismissed, and the whole file waits beside it', async () => {
    const { half, whole } = written()
    const file = await taken(half)
    await goOn(whole)
    await watch.scan()
    now += 30_000
    await whileUncommitted(
      portal.db,
      (tx) =>
        tx.query(
          `update inbox_file set state = 'dismissed', endedby = 'importer', ended_at = now() where id = $1`,
          [file.id],
        ),
      () => watch.scan(),
    )
    expect((await list('?ended=1')).data).toMatchObject([{ id: file.id, state: 'dismissed' }])
    expect((await list()).data).toMatchObject([{ filename: 'a.csv', size: whole.length }])
  })

  test('and is dismissed meanwhile cannot be brought back as it was', async () => {
    const { half, whole } = written()
    const file = await taken(half)
    await goOn(whole)
    await watch.scan()
    expect((await act('dismiss', file.id)).body).toMatchObject({ state: 'dismissed' })
    expect(await act('check', file.id)).toMatchObject({ status: 409 })
  })

  test('is taken in its place though the whole content came before and was dismissed', async () => {
    const { half, whole } = written()
    const file = await taken(half)
    await put('b.csv', whole)
    await scans(2)
    await act('dismiss', (await list()).data.find(({ filename }) => filename === 'b.csv')!.id)
    await goOn(whole)
    await scans(2)
    const note = `${grew(half, whole)} It was taken anew.`
    expect((await list()).data).toMatchObject([{ id: file.id, state: 'ready', note }])
  })

  test('waits once when a file with the whole content waits already', async () => {
    const { half, whole } = written()
    await taken(half)
    await put('b.csv', whole)
    await scans(2)
    await goOn(whole)
    await scans(2)
    expect(await shown()).toEqual([['b.csv', 'ready']])
  })

  test('under the name of a second sender of the same bytes is noticed as well', async () => {
    const { half, whole } = written()
    const file = await taken(half)
    await put('b.csv', half)
    await scans(2)
    await goOn(whole, 'b.csv')
    await scans(2)
    expect((await list()).data).toMatchObject([{ id: file.id, state: 'ready', size: whole.length }])
  })

  test.each([
    ['one byte less', (half: string) => half.slice(0, -1)],
    ['other bytes of the same number', (half: string) => half.replace('10.00', '11.00')],
  ])('with %s has changed', async (_, change) => {
    const { half } = written()
    const file = await taken(half)
    await goOn(change(half))
    await utimes(join(watched, '.taken/a.csv'), 1, 1)
    await watch.scan()
    const sizes = [half.length, change(half).length].map((size) => `${size} bytes`)
    const note =
      `a.csv changed after it was taken: ${sizes[0]} were read, and it has ${sizes[1]} now. ` +
      'It is read again once it has not changed for 30 seconds.'
    expect((await list()).data).toMatchObject([{ id: file.id, state: 'outgrown', note }])
  })

  test('and is what it was again before it was read waits as it did, and can be imported', async () => {
    const { half, whole } = written()
    const file = await taken(half)
    await goOn(whole)
    await watch.scan()
    expect((await list()).data).toMatchObject([{ id: file.id, state: 'outgrown' }])
    await goOn(half)
    await watch.scan()
    expect((await list()).data).toMatchObject([{ id: file.id, state: 'ready', note: null }])
    expect((await act('import', file.id)).body).toMatchObject({ state: 'imported', note: null })
  })

  test('only in its time, as a program sets it at the end, is as it was', async () => {
    const file = await taken(residuals())
    await utimes(join(watched, '.taken/a.csv'), 1, 1)
    await scans(2)
    expect((await list()).data).toMatchObject([{ id: file.id, state: 'ready', note: null }])
    expect((await act('import', file.id)).body).toMatchObject({ state: 'imported' })
  })

  test('beyond the limit, or is removed before it was read again, says so and is not imported', async () => {
    const { half } = written()
    const file = await taken(half)
    await goOn(half.padEnd(200_001, 'a'))
    await scans(3)
    const [large] = (await list()).data
    expect(large).toMatchObject({ state: 'outgrown' })
    expect(large!.note).toContain('200,001 bytes now. The file is larger than 0 MB.')
    await rm(join(watched, '.taken/a.csv'))
    await watch.scan()
    const says =
      'a.csv changed after it was taken, and was then removed from .taken. Please send the file again.'
    expect(await act('import', file.id)).toMatchObject({ status: 409, body: { error: says } })
  })

  test('is imported without a word when .taken was cleared', async () => {
    const file = await taken(residuals())
    await rm(join(watched, '.taken'), { recursive: true })
    await watch.scan()
    expect((await act('import', file.id)).body).toMatchObject({ state: 'imported', note: null })
  })
})

describe('what has ended', () => {
  const day = 86_400_000
  test.each([
    [29, 2],
    [30, 2],
    [31, 0],
  ])('is forgotten after 30 days with its copy: after %i days there are %i', async (days, left) => {
    const file = await added('a.csv', residuals())
    await act('dismiss', file.id)
    await act('import', (await added('b.csv', residuals())).id)
    await added('waits.csv', volume())
    await portal.db.query(`update inbox_file set received_at = received_at - interval '60 days'`)
    const copy = join(dataDir, 'inbox', file.sha256)
    await utimes(copy, 1, 1)
    // A minute less, so that the time that passes meanwhile does not count.
    now = Date.now() + days * day - minute
    await newWatch().scan()
    expect([(await list('?ended=1')).total_length, existsSync(copy)]).toEqual([left, left > 0])
    expect(await shown()).toEqual([['waits.csv', 'asks']])
  })

  test('is looked for once an hour', async () => {
    now = Date.now()
    const everyHour = newWatch()
    await everyHour.scan()
    const file = await added('a.csv', residuals())
    await act('dismiss', file.id)
    await portal.db.query(`update inbox_file set ended_at = now() - interval '31 days'`)
    const left: number[] = []
    for (const later of [3_599_999, 1]) {
      now += later
      await everyHour.scan()
      left.push((await list('?ended=1')).total_length)
    }
    expect(left).toEqual([1, 0])
    await everyHour.close()
  })

  test('at one moment is listed with the file that came last first, by whole seconds', async () => {
    const files = [await added('a.csv', residuals()), await added('b.csv', residuals())]
    for (const { id } of files) await act('dismiss', id)
    const [came, ended] = ['2026-11-19 10:20:30.9Z', '2026-11-20 10:20:40.9Z']
    await portal.db.query('update inbox_file set received_at = $1, ended_at = $2', [came, ended])
    const seconds = {
      receivedat: Math.floor(Date.parse(came) / 1000),
      endedat: Math.floor(Date.parse(ended) / 1000),
    }
    expect((await list('?ended=1')).data).toMatchObject([
      { filename: 'b.csv', ...seconds },
      { filename: 'a.csv', ...seconds },
    ])
  })

  test('does not take the copy from a file with the same bytes that waits, however old', async () => {
    const content = residuals()
    const file = await added('a.csv', content)
    await act('dismiss', file.id)
    await added('b.csv', content)
    await utimes(join(dataDir, 'inbox', file.sha256), 1, 1)
    now = Date.now() + 400 * day
    await newWatch().scan()
    expect(await shown()).toEqual([['b.csv', 'ready']])
    expect(existsSync(join(dataDir, 'inbox', file.sha256))).toBe(true)
  })

  test.each<[name: string, age: number, isKept: boolean]>([
    ['a'.repeat(64), 3_599_999, true],
    ['a'.repeat(64), 3_600_000, true],
    ['a'.repeat(64), 3_600_001, false],
    ['a'.repeat(63), 400 * day, true],
    ['a'.repeat(65), 400 * day, true],
    ['notes.txt', 400 * day, true],
  ])(
    'leaves a file %s among the copies that is %i ms old and that no row names: %s',
    async (name, age, isKept) => {
      const path = join(dataDir, 'inbox', name)
      await mkdir(join(dataDir, 'inbox'), { recursive: true })
      await writeFile(path, 'x')
      const changed = 1_800_000_000
      await utimes(path, changed, changed)
      now = changed * 1000 + age
      await newWatch().scan()
      expect(existsSync(path)).toBe(isKept)
      await rm(path, { force: true })
    },
  )

  test('by a dismissal can be brought back by another check', async () => {
    const file = await added('a.csv', residuals())
    await act('dismiss', file.id)
    expect(await act('import', file.id)).toMatchObject({
      status: 409,
      body: { error: 'a.csv was dismissed by importer' },
    })
    expect((await act('check', file.id)).body).toMatchObject({ state: 'ready', by: null })
  })
})

describe('who sees a branch alone', () => {
  const own = async () => {
    const [merchant] = await portal.db.query<{ xmid: string }>(
      'select xmid from merchant where masteragentid = 2 limit 1',
    )
    return csvOf([
      ['MID', 'Sales Amount', 'Batch Number'],
      [merchant!.xmid, `${++number}.00`, `X${number}`],
    ])
  }

  test('sees their own files, not those of the folder and of others', async () => {
    const file = await added('mine.csv', await own(), agent)
    const other = await added('theirs.csv', residuals())
    await put('folder.csv', residuals())
    await scans(2)
    expect(await shown(agent)).toEqual([['mine.csv', 'asks']])
    expect((await list('', agent)).folder).toBeNull()
    for (const what of ['check', 'import', 'dismiss'] as const)
      expect(await act(what, other.id, {}, agent)).toMatchObject({ status: 404 })
    expect((await act('check', file.id, { answers: { date: '2026-10-30' } }, agent)).body).toMatchObject({
      state: 'ready',
    })
  })

  test('adds the bytes of a file of somebody else that waits as a file of the own', async () => {
    const content = await own()
    const other = await added('theirs.csv', content)
    const file = await added('mine.csv', content, agent)
    expect(file.id).not.toBe(other.id)
    expect(await shown(agent)).toEqual([['mine.csv', 'asks']])
  })

  test('is refused compensation data, and other branches’ merchants, by every call', async () => {
    const comp = await added('comp.csv', residuals(), agent)
    expect(comp).toMatchObject({ state: 'refused', message: 'Needs the sight of all master agents.' })
    expect((await act('import', comp.id, {}, agent)).status).toBe(422)
    const foreign = await added('v.csv', volume(), agent)
    const answers = { date: '2026-10-29' }
    expect((await act('check', foreign.id, { answers }, agent)).body).toMatchObject({ state: 'refused' })
    expect((await act('import', foreign.id, { answers }, agent)).status).toBe(422)
  })

  test('is not shown what a check under wider rights found', async () => {
    const file = await added('v.csv', volume(), agent)
    const checked = await act('check', file.id, { answers: { date: '2026-10-28' } })
    expect(checked.body).toMatchObject({ state: 'ready', preview: { inserted: 1 } })
    expect((await list('', agent)).data).toMatchObject([
      { state: 'waiting', kind: null, preview: null, message: null, faults: null },
    ])
  })

  test('is shown nothing of such a check, whatever it found and though its file was imported', async () => {
    const file = await added('v.csv', volume(), agent)
    const found = {
      asks: { date: true },
      faults: { rows: [], more: 1 },
      repeated: { username: 'x', importedat: 1, subject: 'y' },
    }
    await portal.db.query(
      `update inbox_file f set checkedby = (select id from portal_user where username = 'admin'),
          kind = 'compdata', month = '2026-10', processor = 'Quartz', message = 'Of another branch',
          asks = t.asks, faults = t.faults, repeated = t.repeated
        from jsonb_to_record($2::jsonb) as t (asks jsonb, faults jsonb, repeated jsonb)
        where f.id = $1`,
      [file.id, JSON.stringify(found)],
    )
    const hidden = { kind: null, month: null, processor: null, message: null, stored: null }
    const nothing = { ...hidden, asks: null, faults: null, repeated: null }
    expect((await list('', agent)).data).toMatchObject([{ state: 'waiting', ...nothing }])
    expect((await list('')).data).toMatchObject([
      { kind: 'compdata', message: 'Of another branch', ...found },
    ])
    await portal.db.query(
      `with batch as (
          insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
          values ('compdata', 'v.csv', '', 0, 'admin', 9, 9, 0, 0) returning id)
        update inbox_file f set state = 'imported', endedby = 'admin', ended_at = now(), batchid = batch.id
        from batch where f.id = $1`,
      [file.id],
    )
    expect((await list('?ended=1', agent)).data).toMatchObject([{ state: 'imported', ...nothing }])
    expect((await list('?ended=1')).data).toMatchObject([{ stored: { inserted: 9 } }])
  })

  test('checks a dismissed file again though the same bytes of another person wait, and is not told of them', async () => {
    const content = await own()
    const mine = await added('mine.csv', content, agent)
    await act('dismiss', mine.id, {}, agent)
    await added('theirs.csv', content)
    const answers = { date: '2026-10-27' }
    expect(await act('check', mine.id, { answers }, agent)).toMatchObject({
      status: 200,
      body: { state: 'ready' },
    })
    expect(await shown(agent)).toEqual([['mine.csv', 'ready']])
  })
})

test('the number of waiting files is that of the list, for a user of a branch that of their own files', async () => {
  const count = async (who: SignedIn) => (await who.call('GET', '/api/v1/inbox/count')).body.waiting as number
  expect([await count(importer), await count(agent)]).toEqual([0, 0])
  const { id } = await added('a.csv', volume())
  await added(
    'b.csv',
    csvOf([
      ['XMID', 'DBA', 'Master Agent'],
      ['B1', 'Shop', 'MA0002'],
    ]),
    agent,
  )
  expect([await count(importer), await count(admin), await count(agent)]).toEqual([2, 2, 1])
  await importer.call('POST', `/api/v1/inbox/${id}/dismiss`)
  expect([await count(importer), await count(agent)]).toEqual([1, 1])
  const listed = async (who: SignedIn) => [
    (await list('', who)).total_length,
    (await list('?ended=1', who)).total_length,
  ]
  expect([await listed(importer), await listed(agent)]).toEqual([
    [1, 1],
    [1, 0],
  ])
})

describe('the list', () => {
  test('leaves out the files of other months, and keeps those whose month is not known', async () => {
    await added('october.csv', residuals())
    await added('day.csv', volume())
    const names = async (month: string) =>
      (await list(`?month=${month}`)).data.map(({ filename }) => filename)
    expect(await names('2026-10')).toEqual(['october.csv', 'day.csv'])
    expect(await names('2026-09')).toEqual(['day.csv'])
  })

  test('is of pages, in the order in which the files came', async () => {
    await portal.db.query(
      `insert into inbox_file (filename, sha256, size, source, username)
        select 'f' || 31 - n || '.csv', md5(n::text), 1, 'folder', '' from generate_series(1, 21) n`,
    )
    const names = async (page: number) => {
      const { data, total_length: total } = await list(`?size=10&page=${page}`)
      return [total, ...data.map(({ filename }) => filename)]
    }
    const all = Array.from({ length: 21 }, (_, at) => `f${30 - at}.csv`)
    expect(await names(1)).toEqual([21, ...all.slice(0, 10)])
    expect(await names(2)).toEqual([21, ...all.slice(10, 20)])
    expect(await names(3)).toEqual([21, ...all.slice(20)])
  })

  test.each(['0', '999999999', 'x', '1.5', '9999999999'])('file %s does not exist', async (id) => {
    for (const what of ['check', 'import'])
      expect(await importer.call('POST', `/api/v1/inbox/${id}/${what}`, {})).toMatchObject({
        status: 404,
        body: { error: 'This file of the inbox does not exist' },
      })
  })

  test.each([
    [{ answers: { date: '2026-02-30' } }, 422],
    [{ answers: { kind: 'other' } }, 422],
    [{ answers: { stranger: 1 } }, 400],
    [{ answers: 'x' }, 400],
  ])('an answer like %j is refused', async (body, status) => {
    const file = await added('a.csv', residuals())
    expect((await act('check', file.id, body)).status).toBe(status)
    expect(await shown()).toEqual([['a.csv', 'ready']])
  })
})

test('that a file came, was imported and was dismissed is in the audit', async () => {
  const [last] = await portal.db.query<{ id: number }>('select max(id) as id from audit')
  const [one, other] = [await added('a.csv', residuals()), await added('b.csv', residuals())]
  await act('import', one.id)
  await act('dismiss', other.id, {}, admin)
  const entries = await portal.db.query(
    `select username, action, entity, entityid, after from audit where id > $1 order by id`,
    [last!.id],
  )
  const came = ({ id, filename, sha256, size }: InboxFile) => ({
    username: 'importer',
    action: 'create',
    entity: 'inbox file',
    entityid: String(id),
    after: { filename, sha256, size, source: 'upload' },
  })
  expect(entries).toEqual([
    came(one),
    came(other),
    expect.objectContaining({ username: 'importer', action: 'import', entity: 'compdata' }),
    {
      username: 'admin',
      action: 'dismiss',
      entity: 'inbox file',
      entityid: String(other.id),
      after: { filename: 'b.csv', sha256: other.sha256 },
    },
  ])
})

describe('a file is quiet', () => {
  const seen = { name: 'a.csv', size: 1, mtimeMs: 1, ino: 1 }
  test.each<[what: string, between: (typeof seen)[], after: number, isQuiet: boolean]>([
    ['a millisecond less than its period', [seen], 999, false],
    ['its period', [seen], 1_000, true],
    ['a millisecond more', [seen], 1_001, true],
    ['and has another size meanwhile', [{ ...seen, size: 2 }], 1_000, false],
    ['and has another time meanwhile', [{ ...seen, mtimeMs: 2 }], 1_000, false],
    ['and is another file of its name meanwhile', [{ ...seen, ino: 2 }], 1_000, false],
    ['and is away meanwhile', [], 1_000, false],
  ])('after %s', (_, between, after, isQuiet) => {
    let clock = 0
    const quiet = quietPeriod(1_000, () => clock)
    expect(quiet([seen])).toEqual([])
    clock = 500
    quiet(between)
    clock = after
    expect(quiet([seen])).toEqual(isQuiet ? [seen] : [])
  })
})

describe('a heading that no kind knows', () => {
  const heads = ['Outlet', 'Takings', 'Dues']
  const file = (month: string) =>
    csvOf([['Processor: Quartz'], [`Statement of ${month}`], heads, [`9${++number}7`, '10.00', '4.00']])
  const column = (name: string) => ({ columns: [{ sheet: '', name, sign: 1 as const }] })
  const mapping = {
    sheets: [{ name: '', heading: heads }],
    fields: { xmid: column('Outlet'), income: column('Takings'), expense: column('Dues') },
  }

  test('is of the kind that is named with the file, and asks its columns once', async () => {
    const unnamed = await added('first.csv', file('August 2026'))
    expect(unnamed).toMatchObject({
      state: 'asks',
      kind: null,
      asks: { kind: { candidates: [] } },
      message: 'The heading of the file belongs to no kind that is known. Which one is it?',
    })
    const { status, body } = await addAs('compdata', 'second.csv', file('October 2026'))
    expect({ status, body }).toMatchObject({ status: 201, body: { kind: 'compdata', asks: { mapping: {} } } })
    const checked = await act('check', body.id, { answers: { mapping } })
    expect(checked.body).toMatchObject({ state: 'ready', kind: 'compdata', month: '2026-10' })
    const imported = await act('import', body.id, { answers: { mapping } })
    expect(imported).toMatchObject({ status: 200, body: { state: 'imported' } })
    // The saved mapping names the kind from now on, whoever adds the next file.
    expect(await added('third.csv', file('November 2026'))).toMatchObject({
      state: 'ready',
      kind: 'compdata',
    })
  })

  test('does not change the kind of a file whose heading is known', async () => {
    const { body } = await addAs('compdata', 'volume.csv', volume())
    expect(body).toMatchObject({ kind: 'dailyvolume', asks: { date: true } })
  })

  test('is refused under the name of no kind', async () => {
    const { status, body } = await addAs('residuals', 'first.csv', file('August 2026'))
    expect({ status, body }).toMatchObject({
      status: 422,
      body: {
        error: 'Kind is none of those that can be imported',
        fields: { kind: 'Kind is none of those that can be imported' },
      },
    })
    expect(await shown()).toEqual([])
  })
})
