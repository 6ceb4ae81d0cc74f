import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { read, utils } from '@e965/xlsx'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RunningImport } from '../../../schemas/imports/importReplies.ts'
import { imports, type Batch } from '../../../schemas/imports/imports.ts'
import { writeRejectedFile } from '../../../server/imports/rejectedRows.ts'
import { createDownloads } from '../../../server/jobs/downloads.ts'
import { createProgressReporter } from '../../../server/jobs/progress.ts'
import { csvOf, workbookOf, type Rows } from '../../files/workbooks.ts'
import { userId } from '../../records.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { whileUncommitted } from '../../whileUncommitted.ts'

vi.setConfig({ testTimeout: 60_000 })
let portal: TestPortal
let importer: SignedIn
let dataDir = ''
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portal-'))
  portal = await openTestPortal({ dataDir, timeZone: 'UTC' })
  importer = await portal.login('importer')
}, 60_000)
afterAll(async () => {
  await portal.close()
  await rm(dataDir, { recursive: true })
})

const header = { 'content-type': 'multipart/form-data; boundary=cut' }
const body = (filename: string, content: string | Buffer) =>
  Buffer.concat([
    Buffer.from(
      `--cut\r\nContent-Disposition: form-data; name="${filename}"; filename="${filename}"\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n--cut--\r\n'),
  ])
const post = (path: string, filename: string, content: string | Buffer, who = importer) =>
  who.call('POST', `/api/v1/file/${path}`, body(filename, content), header)
/** The bytes of an answer, for what is no text. */
const bytes = async (path: string, filename?: string, content?: string | Buffer) => {
  const reply = await portal.app.inject({
    method: filename ? 'POST' : 'GET',
    url: `/api/v1/file/${path}`,
    headers: {
      ...header,
      authorization: `Bearer ${importer.token}`,
      cookie: `XSRF-TOKEN=${importer.cookie}`,
      'x-xsrf-token': importer.cookie,
    },
    ...(filename && { payload: body(filename, content!) }),
  })
  return {
    status: reply.statusCode,
    bytes: reply.rawPayload,
    disposition: String(reply.headers['content-disposition']),
    type: String(reply.headers['content-type']),
  }
}
const rowsOf = (content: Buffer): unknown[][] => {
  const isText = !['PK', '\xd0\xcf'].includes(content.subarray(0, 2).toString('latin1'))
  const book = isText
    ? read(content.toString('utf8').replace('\ufeff', ''), { type: 'string', raw: true })
    : read(content, { type: 'buffer' })
  return utils.sheet_to_json(book.Sheets[book.SheetNames[0]!]!, { header: 1, defval: '' })
}

describe('the template', () => {
  test.each(
    Object.values(imports).flatMap((it) =>
      (['csv', 'xlsx'] as const).map((format) => [it.name, format] as const),
    ),
  )('of %s as .%s holds the headings', async (name, format) => {
    const reply = await bytes(`${name}/template?format=${format}`)
    expect(reply).toMatchObject({
      status: 200,
      disposition: `attachment; filename="${name} template.${format}"`,
    })
    expect(rowsOf(reply.bytes)).toEqual([
      imports[name as keyof typeof imports].columns.map(({ head }) => head),
    ])
  })
  test.each([
    ['nothing/template', 404],
    ['toString/template', 404],
    ['merchant/template?format=pdf', 400],
  ])('%s is answered %d', async (path, status) => expect((await bytes(path)).status).toBe(status))
})

describe('the fix file', () => {
  const table: Rows = [
    ['Portfolio of May'],
    ['XMID', 'DBA', 'Master Agent', 'Card', 'Date Added'],
    ['F1', 'Good, Ltd', 'MA0002', '', ''],
    ['F2', 'Bäd', 'nobody at all', '', ''],
    ['F3', 'Worse', 'MA0002', '4111 1111 1111 1111', '2/30/2025'],
  ]
  test.each<[string, string | Buffer]>([
    ['m.csv', csvOf(table.map((row) => [...row, ...Array.from({ length: 5 - row.length }, () => '')]))],
    ['m.xlsx', workbookOf('xlsx', { S: table })],
    ['m.xls', workbookOf('biff8', { S: table })],
  ])('of %s holds the rejected rows with their reasons, card numbers hidden', async (filename, content) => {
    const reply = await bytes('merchant/rejected', filename, content)
    expect(reply).toMatchObject({
      status: 200,
      disposition: `attachment; filename="${filename.replace('.', ' rejected.')}"`,
    })
    const [title, heading, ...rows] = rowsOf(reply.bytes)
    expect(title?.[0]).toBe('Portfolio of May')
    expect(heading).toEqual([...table[1]!, 'Reason'])
    expect(rows.map((row) => row.slice(0, 5))).toEqual([
      ['F2', 'Bäd', 'nobody at all', '', ''],
      ['F3', 'Worse', 'MA0002', '************1111', '2/30/2025'],
    ])
    expect(rows[0]?.[5]).toContain('Master Agent nobody at all is not known')
    expect(rows[1]?.[5]).toMatch(
      /Date Added is a day that no calendar has; Card holds what looks like a full card number/,
    )
  })
  test('of a .csv holds no formula, and its texts read again are those of the upload', async () => {
    const dba = ['=1+1', '+Plus', '-Minus', '@Home', '\uff1dWide', 'A=B', "'Quoted"]
    const money = ['-12.50', '+3', '-$1,234.50']
    const rows = dba.map((name, at) => [`G${at}`, name, 'nobody at all', money[at % 3]!])
    const head = ['XMID', 'DBA', 'Master Agent', 'Fee']
    const reply = await bytes('merchant/rejected', 'm.csv', csvOf([head, ...rows]))
    const [, ...fixed] = rowsOf(reply.bytes)
    expect(fixed.map(([, name]) => name)).toEqual(
      dba.map((it) => (/^[=+\-@\uff1d]/.test(it) ? `'${it}` : it)),
    )
    expect(fixed.map((row) => row[3])).toEqual(rows.map((row) => row[3]))
    const mended = csvOf([head, ...fixed.map(([id, name]) => [String(id), String(name), 'MA0002', ''])])
    expect((await post('merchant', 'm rejected.csv', mended)).body).toMatchObject({ inserted: dba.length })
    const stored = await portal.db.query(`select dba from merchant where xmid ~ '^G[0-6]$' order by xmid`)
    expect(stored.map((row) => row['dba'])).toEqual(dba)
  })
  test('read again, its reasons are no column', async () => {
    const mended = csvOf([
      ['XMID', 'DBA', 'Master Agent', 'Reason'],
      ['F2', 'Bad', 'MA0002', 'Master Agent is not known'],
    ])
    expect((await post('merchant?dryrun=1', 'm rejected.csv', mended)).body).toMatchObject({
      inserted: 1,
      rejected: 0,
      ignored: [],
    })
  })
  test('read again, a column Reason that is not its last one is a column of the file', async () => {
    const own = csvOf([
      ['XMID', 'Reason', 'DBA', 'Master Agent'],
      ['F2', 'Moved', 'Bad', 'MA0002'],
    ])
    expect((await post('merchant?dryrun=1', 'own.csv', own)).body.ignored).toEqual(['Reason'])
  })
  test.each<[string, string, number, string]>([
    [
      'without rejected rows',
      csvOf([
        ['XMID', 'DBA', 'Master Agent'],
        ['F1', 'A', 'MA0002'],
      ]),
      422,
      'No row of this file is rejected',
    ],
    ['that cannot be read', '<html></html>', 422, 'The file is a web page'],
  ])('of a file %s is refused', async (_, content, status, why) => {
    const reply = await post('merchant/rejected', 'm.csv', content)
    expect([reply.status, reply.body.error]).toEqual([status, expect.stringContaining(why)])
  })
  test('is removed when its reader goes away after it was written and before the reading has ended', async () => {
    const gone = new AbortController()
    const sizes: number[] = []
    const downloads = createDownloads(portal.config)
    const write: typeof downloads.write = async (...given) => {
      const file = await downloads.write(...given)
      sizes.push(file.size)
      gone.abort(new Error('gone'))
      return file
    }
    const path = join(dataDir, 'sent.csv')
    await writeFile(
      path,
      csvOf([
        ['XMID', 'DBA', 'Master Agent'],
        ['F1', '', 'MA0002'],
      ]),
    )
    const sender = { username: 'importer', scope: null }
    const about = { kind: 'merchant', filename: 'sent.csv', size: 1, sha256: '', date: null } as const
    const context = { db: portal.db, sender, dryrun: false, config: portal.config }
    const making = writeRejectedFile(
      { ...about, ...context, path, signal: gone.signal },
      { ...downloads, write },
    )
    await expect(making).rejects.toThrow('gone')
    expect(sizes).toEqual([expect.any(Number)])
    expect((await readdir(join(dataDir, 'tmp'))).filter((name) => name.startsWith('download'))).toEqual([])
  })
})

test('a file whose totals alone differ has no fix file, and the answer says so', async () => {
  const file = csvOf([
    ['MID', 'Compliance Status', 'Non-Compliance Fee'],
    ['T1', 'Compliant', '5'],
    ['Total', '', '6'],
  ])
  expect((await post('pcicompliance?dryrun=1', 'totals.csv', file)).body).toMatchObject({
    rejected: 0,
    rows: [{ row: 3, message: 'The total of Non-Compliance Fee is 6.00, but the rows above add up to 5.00' }],
  })
  expect(await post('pcicompliance/rejected', 'totals.csv', file)).toMatchObject({
    status: 422,
    body: {
      error: 'No row of this file is rejected: its own totals differ from its rows, and a fix file has none',
    },
  })
})

describe('the history', () => {
  const file = (name: string) =>
    csvOf([
      ['MID', 'Compliance Status'],
      [name, 'Compliant'],
    ])
  const tinFile = (mid: string) =>
    csvOf([
      ['MID', 'TIN Code'],
      [mid, '3'],
    ])
  const undo = (who: SignedIn, kind: string, batch: number) =>
    who.call('POST', `/api/v1/file/${kind}/${batch}/undo`)
  /** Somebody who may import and sees the branch of master agent 2 alone. */
  async function branchImporter() {
    await portal.db.query(`update portal_user set permissions = '{import_files}' where username = 'agent'`)
    return portal.login('agent')
  }
  test('lists the imports of a kind, newest first; one of them is taken back', async () => {
    const first = await post('pcicompliance', 'first.csv', file('H1'))
    const second = await post('pcicompliance', 'second.csv', file('H2'))
    const again = await post('pcicompliance', 'third.csv', file('H1'))
    expect(again).toMatchObject({
      status: 409,
      body: {
        code: 'repeated',
        username: 'importer',
        importedat: expect.any(Number),
        error: expect.stringMatching(/imported before, by importer on/),
      },
    })
    expect((await post('pcicompliance?dryrun=1', 'third.csv', file('H1'))).body.repeated).toEqual({
      username: 'importer',
      importedat: again.body.importedat,
      subject: null,
    })
    expect((await post('pcicompliance?again=1', 'third.csv', file('H1'))).body).toMatchObject({
      unchanged: 1,
    })
    const undone = await importer.call('POST', `/api/v1/file/pcicompliance/${second.body.batch}/undo`)
    expect(undone).toMatchObject({
      status: 200,
      body: { id: second.body.batch, state: 'undone', undoneby: 'importer' },
    })
    const { body: page } = await importer.call('GET', '/api/v1/file/pcicompliance/history?page=1&size=10')
    expect(page.total_length).toBe(4)
    expect(
      page.data.map(({ filename, state }: { filename: string; state: string }) => [filename, state]),
    ).toEqual([
      ['third.csv', 'imported'],
      ['second.csv', 'undone'],
      ['first.csv', 'imported'],
      ['pci compliance.csv', 'imported'],
    ])
    expect(page.data[2]).toEqual({
      id: first.body.batch,
      filename: 'first.csv',
      sha256: expect.stringMatching(/^[\da-f]{64}$/),
      size: file('H1').length,
      username: 'importer',
      importedat: expect.any(Number),
      processor: null,
      date: null,
      rows: 1,
      inserted: 1,
      updated: 0,
      unchanged: 0,
      totals: { rows: 1, fees: 0 },
      state: 'imported',
      undo: { allowed: true, reason: null },
      undoneby: null,
      undoneat: null,
    })
  })
  test('says of every import of the demo whether it can be undone, and why not', async () => {
    const verdicts = async (kind: string) => {
      const { body: page } = await importer.call('GET', `/api/v1/file/${kind}/history?page=1&size=100`)
      return (page.data as Batch[]).map(({ undo: { allowed, reason } }) => (allowed ? 'allowed' : reason!))
    }
    const months = await verdicts('compdata')
    expect(months.slice(0, 3)).toEqual(['allowed', 'allowed', 'allowed'])
    expect(months.slice(3).filter((reason) => !/ is locked: staff locked it on /.test(reason))).toEqual([])
    expect([...new Set(await verdicts('dailyvolume'))]).toEqual(['allowed'])
    const [oldest] = (await importer.call('GET', '/api/v1/file/dailyvolume/history?page=1&size=100')).body
      .data
    const rows = () =>
      portal.db.query('select 1 from daily_volume where volumedate = $1::date', [oldest.date])
    expect(await rows()).toHaveLength(oldest.rows)
    expect(await undo(importer, 'dailyvolume', oldest.id)).toMatchObject({ status: 200 })
    expect(await rows()).toEqual([])
    for (const kind of ['chargeback', 'tinvalidation']) expect(await verdicts(kind)).toContain('allowed')
  })
  test('names the month of compensation data', async () => {
    const { body: page } = await importer.call('GET', '/api/v1/file/compdata/history?page=1&size=10')
    expect(page.total_length).toBe(72)
    expect(page.data[0].date).toMatch(/^\d{4}-\d{2}$/)
  })
  test('of others is not seen, nor undone, by a person who does not see all', async () => {
    const agent = await branchImporter()
    const { body } = await post('pcicompliance', 'others.csv', file('H3'))
    expect(await agent.call('GET', '/api/v1/file/pcicompliance/history')).toMatchObject({
      body: { data: [], total_length: 0 },
    })
    expect(await undo(agent, 'pcicompliance', body.batch)).toMatchObject({ status: 404 })
    expect(await undo(importer, 'pcicompliance', body.batch)).toMatchObject({ status: 200 })
  })
  test.each<'importer' | 'agent'>(['importer', 'agent'])(
    'shows the own imports of %s under their own kind alone, and undoes them under no other',
    async (name) => {
      const who = name === 'agent' ? await branchImporter() : importer
      const [merchant] = await portal.db.query<{ xmid: string }>(
        'select xmid from merchant where masteragentid = 2 order by id limit 1',
      )
      const { body } = await post('tinvalidation', `${name}.csv`, tinFile(merchant!.xmid), who)
      const batch: number = body.batch
      for (const kind of Object.keys(imports)) {
        const { status, body: page } = await who.call('GET', `/api/v1/file/${kind}/history?page=1&size=100`)
        // Compensation data is for those who see all (imports 1).
        if (kind === 'compdata' && name === 'agent') {
          expect([status, (await undo(who, kind, batch)).status]).toEqual([403, 403])
          continue
        }
        const ids = page.data.map(({ id }: { id: number }) => id)
        expect([kind, ids.includes(batch)]).toEqual([kind, kind === 'tinvalidation'])
        if (kind !== 'tinvalidation')
          expect([kind, (await undo(who, kind, batch)).status]).toEqual([kind, 404])
      }
      expect(await undo(who, 'tinvalidation', batch)).toMatchObject({
        status: 200,
        body: { state: 'undone' },
      })
    },
  )
})

test('cases that who sees a branch has imported are undone by them', async () => {
  await portal.db.query(`update portal_user set permissions = '{import_files}' where username = 'agent'`)
  const agent = await portal.login('agent')
  const [merchant] = await portal.db.query<{ xmid: string }>(
    'select xmid from merchant where masteragentid = 2 order by id limit 1',
  )
  const rows: Rows = [
    ['MID', 'Case Number', 'File Date', 'Amount'],
    [merchant!.xmid, 'Own 1', '5/1/2025', '10'],
  ]
  const { body } = await post('chargeback', 'own cases.csv', csvOf(rows), agent)
  const { body: page } = await agent.call('GET', '/api/v1/file/chargeback/history?page=1&size=10')
  expect(page.data).toMatchObject([{ id: body.batch, undo: { allowed: true } }])
  expect((await agent.call('POST', `/api/v1/file/chargeback/${body.batch}/undo`)).status).toBe(200)
})

describe('the progress of an import', () => {
  const job = '8f14e45f-ceea-467f-a7c4-1d1f6a1b2c3d'
  const unknown = { phase: 'unknown', done: 0, total: null }
  test('is seen by a person who imports, while it lasts', async () => {
    const [{ id }] = (await portal.db.query<{ id: number }>(
      `select id from portal_user where username = 'importer'`,
    )) as [{ id: number }]
    const reporter = createProgressReporter({ db: portal.db, job, kind: 'merchant', userid: id })
    reporter.report({ phase: 'reading', done: 12, total: null })
    const look = (who = importer) => who.call('GET', `/api/v1/file/merchant/progress/${job}`)
    await expect.poll(async () => (await look()).body).toEqual({ phase: 'reading', done: 12, total: null })
    reporter.report({ phase: 'checking', done: 0, total: 30 })
    await expect.poll(async () => (await look()).body).toEqual({ phase: 'checking', done: 0, total: 30 })
    expect((await look(await portal.login('admin'))).body).toEqual(unknown)
    await reporter.end()
    expect((await look()).body).toEqual(unknown)
  })
  test('is that of the job, the kind and the person that is asked for, of several that go on', async () => {
    const people = await portal.db.query<{ id: number; username: string }>(
      `select id, username from portal_user where username in ('importer', 'admin')`,
    )
    const idOf = (name: string) => people.find(({ username }) => username === name)!.id
    const jobs = [1, 2, 3, 4].map((done) => `${job.slice(0, -1)}${done}`)
    await portal.db.query(
      `insert into job_progress (job, kind, userid, phase, done, total)
        select unnest($1::uuid[]), unnest($2::text[]), unnest($3::int[]), 'storing', unnest($4::int[]), 9`,
      [
        jobs,
        ['merchant', 'merchant', 'chargeback', 'merchant'],
        ['importer', 'importer', 'importer', 'admin'].map(idOf),
        [1, 2, 3, 4],
      ],
    )
    const admin = await portal.login('admin')
    const seen = async (kind: string, who = importer) => {
      const looks = jobs.map((name) => who.call('GET', `/api/v1/file/${kind}/progress/${name}`))
      return (await Promise.all(looks)).map(({ body: { phase, done } }) =>
        phase === 'storing' ? done : null,
      )
    }
    expect(await seen('merchant')).toEqual([1, 2, null, null])
    expect(await seen('chargeback')).toEqual([null, null, 3, null])
    expect(await seen('merchant', admin)).toEqual([null, null, null, 4])

    for (const name of [jobs[0]!, jobs[3]!]) {
      const reporter = createProgressReporter({
        db: portal.db,
        job: name,
        kind: 'merchant',
        userid: idOf('importer'),
      })
      reporter.report({ phase: 'storing', done: 8, total: 9 })
      await reporter.end()
    }
    expect(await seen('merchant')).toEqual([null, 2, null, null])
    expect(await seen('merchant', admin)).toEqual([null, null, null, 4])
    await portal.db.query('delete from job_progress')
  })
  test('of a real import comes and goes', async () => {
    const rows = Array.from({ length: 3000 }, (_, index): Rows[number] => [`P${index}`, 'Shop', 'MA0002'])
    const running = post(`merchant?job=${job}`, 'p.csv', csvOf([['XMID', 'DBA', 'Master Agent'], ...rows]))
    const look = async () => (await importer.call('GET', `/api/v1/file/merchant/progress/${job}`)).body
    await vi.waitFor(async () => expect(await look()).not.toEqual(unknown), { timeout: 10_000, interval: 20 })
    expect((await running).body).toMatchObject({ inserted: 3000 })
    expect(await look()).toEqual(unknown)
  })
  test('of an import that nobody named is seen by others, with its file and who imports it', async () => {
    const rows = Array.from({ length: 3000 }, (_, index): Rows[number] => [`Q${index}`, 'Shop', 'MA0002'])
    const admin = await portal.login('admin')
    const look = async (who: SignedIn, kind = 'merchant') =>
      (await who.call('GET', `/api/v1/file/${kind}/running`)).body.data as RunningImport[]
    const importing = post('merchant', 'seen.csv', csvOf([['XMID', 'DBA', 'Master Agent'], ...rows]))
    const seen = await vi.waitFor(
      async () => {
        const [first] = await look(admin)
        expect(first).toBeDefined()
        return first!
      },
      { timeout: 10_000, interval: 20 },
    )
    expect(seen).toMatchObject({ filename: 'seen.csv', username: 'importer' })
    expect(['waiting', 'reading', 'checking', 'storing']).toContain(seen.phase)
    expect((await importing).status).toBe(200)
    expect(await look(admin)).toEqual([])
  })
  test('of a preview is seen by nobody else', async () => {
    const admin = await portal.login('admin')
    const file = csvOf([
      ['XMID', 'DBA', 'Master Agent'],
      ['Q1', 'Shop', 'MA0002'],
    ])
    const { status } = await whileUncommitted(
      portal.db,
      (tx) => tx.query('lock table merchant in access exclusive mode'),
      () => post('merchant?dryrun=1', 'unseen.csv', file),
      async () => expect((await admin.call('GET', '/api/v1/file/merchant/running')).body.data).toEqual([]),
    )
    expect(status).toBe(200)
  })
  test('is seen of the kind that is asked for, by a user of a branch only their own, and while it is alive', async () => {
    const add = async (n: number, kind: string, who: string, filename: string | null, seconds = 0) =>
      portal.db.query(
        `insert into job_progress (job, kind, userid, phase, done, filename, username, updated_at, started_at)
          values ($1, $2, $3, 'reading', $4::int, $5, $6, now() - make_interval(secs => $7), now() - make_interval(secs => $4::int))`,
        [`${job.slice(0, -1)}${n}`, kind, await userId(portal.db, who), n, filename, who, seconds],
      )
    await portal.db.query(
      `update portal_user set permissions = array_append(permissions, 'import_files') where username = 'agent'`,
    )
    const agent = await portal.login('agent')
    await add(1, 'merchant', 'importer', 'a.csv')
    await add(2, 'merchant', 'agent', 'b.csv', 29)
    await add(3, 'merchant', 'importer', 'dead.csv', 31)
    await add(4, 'chargeback', 'importer', 'c.csv')
    await add(5, 'merchant', 'importer', null)
    const look = async (who: SignedIn, kind = 'merchant') =>
      ((await who.call('GET', `/api/v1/file/${kind}/running`)).body.data as RunningImport[]).map(
        ({ filename }) => filename,
      )
    expect(await look(importer)).toEqual(['b.csv', 'a.csv'])
    expect(await look(importer, 'chargeback')).toEqual(['c.csv'])
    expect(await look(agent)).toEqual(['b.csv'])
    await portal.db.query('delete from job_progress')
  })
  describe('as time passes', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] }))
    afterEach(() => void vi.useRealTimers())
    const stored = async (column: string) =>
      (await portal.db.query(`select ${column} as it from job_progress where job = $1`, [job]))[0]?.['it']
    const about = () => ({ db: portal.db, job, kind: 'merchant', userid: null })

    test('is written again every five seconds, or it would be that of a killed process', async () => {
      const reporter = createProgressReporter(about())
      reporter.report({ phase: 'reading', done: 1, total: null })
      // A poll would go on with the time.
      while ((await stored('done')) !== 1) await portal.db.query('select 1')
      await portal.db.query(`update job_progress set updated_at = now() - interval '29 seconds'`)
      const isAlive = `updated_at > now() - interval '10 seconds'`
      vi.advanceTimersByTime(4_999)
      expect(await stored(isAlive)).toBe(false)
      vi.advanceTimersByTime(1)
      vi.useRealTimers()
      await expect.poll(() => stored(isAlive)).toBe(true)
      await reporter.end()
    })

    test('counts the rows that are being stored, and no more of them than there are', async () => {
      const reporter = createProgressReporter(about())
      const take = (rows: number) =>
        portal.db.query(
          `select nextval(pg_get_serial_sequence('chargeback', 'id')) from generate_series(1, $1)`,
          [rows],
        )
      await reporter.trackInserts('chargeback', 3, 10, async () => {
        for (const [rows, done] of [
          [2, 5],
          [20, 10],
        ] as const) {
          await take(rows)
          await expect
            .poll(() => {
              vi.advanceTimersByTime(500)
              return stored(`phase || ' ' || done || ' of ' || total`)
            })
            .toBe(`storing ${done} of 10`)
        }
      })
      await reporter.end()
      expect(await stored('done')).toBeUndefined()
    })
  })
  test('that nobody has written for more than an hour is forgotten when another job begins', async () => {
    const minutes = [59, 61]
    await portal.db.query(
      `insert into job_progress (job, kind, phase, done, updated_at)
        select gen_random_uuid(), 'merchant', 'storing', n, now() - n * interval '1 minute' from unnest($1::int[]) n`,
      [minutes],
    )
    await createProgressReporter({ db: portal.db, job, kind: 'merchant', userid: null }).end()
    expect(await portal.db.query('select done from job_progress')).toEqual([{ done: 59 }])
    await portal.db.query('delete from job_progress')
  })
  test.each(['1', 'x'.repeat(36)])('%s names no job', async (name) =>
    expect((await importer.call('GET', `/api/v1/file/merchant/progress/${name}`)).status).toBe(404),
  )
})
