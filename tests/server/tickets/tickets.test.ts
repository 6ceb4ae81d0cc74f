import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ticketStatuses, ticketTypes } from '../../../schemas/entities/ticket.ts'
import { readAttachment } from '../../../server/tickets/attachments.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { fileTicket, goodTicket } from '../../ticket.ts'
import { waitingForLocks, whileUncommitted } from '../../whileUncommitted.ts'

let portal: TestPortal
/**
 * `agent` belongs to master agent 2, `under` to a child of it, `beside` to 3, `clerk` and `staff` to the
 * office account.
 */
const who: Record<string, SignedIn> = {}
beforeAll(async () => {
  portal = await openTestPortal()
  const [child] = await portal.db.query<{ id: number }>(
    'select id from master_agent where parentid = 2 order by id limit 1',
  )
  await portal.db.query(
    `update portal_user set masteragentid = $1, permissions = '{}' where username = 'importer'`,
    [child!.id],
  )
  await portal.db.query(
    `update portal_user set masteragentid = 3, permissions = '{}' where username = 'reassigner'`,
  )
  await portal.db.query(`update portal_user set email = 'admin@example.com' where username = 'admin'`)
  const people = {
    agent: 'agent',
    under: 'importer',
    beside: 'reassigner',
    clerk: 'clerk',
    staff: 'staff',
    admin: 'admin',
  }
  for (const [name, username] of Object.entries(people)) who[name] = await portal.login(username)
})
afterAll(() => portal.close())

const become = (username: string, permissions: string[], admin = false) =>
  portal.db.query('update portal_user set permissions = $1, admin = $2 where username = $3', [
    permissions,
    admin,
    username,
  ])
const stored = async (id: number) =>
  (await portal.db.query<Record<string, unknown>>('select * from ticket where id = $1', [id]))[0]
const at = (id: number, rest = '') => `/api/v1/ticket/${id}${rest}`

describe('who sees a ticket', () => {
  const made: Record<string, number> = {}
  beforeAll(async () => {
    for (const name of ['agent', 'under', 'beside', 'clerk'])
      made[name] = (await fileTicket(who[name]!, { subject: `seen by whom: ${name}` })).body.id
  })

  test.each([
    ['agent', ['agent', 'under']],
    ['under', ['under']],
    ['beside', ['beside']],
    ['clerk', ['agent', 'under', 'beside', 'clerk']],
    ['staff', ['agent', 'under', 'beside', 'clerk']],
    ['admin', ['agent', 'under', 'beside', 'clerk']],
  ])('%s: those of %j', async (name, seen) => {
    const { body } = await who[name]!.call('GET', '/api/v1/ticket?search=seen%20by%20whom&size=50')
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual(
      seen.map((of) => made[of]!).sort((a, b) => b - a),
    )
    expect(body.total_length).toBe(seen.length)
    for (const [of, id] of Object.entries(made)) {
      const isSeen = seen.includes(of)
      expect((await who[name]!.call('GET', at(id))).status, of).toBe(isSeen ? 200 : 404)
      expect((await who[name]!.call('GET', at(id, '/attachment'))).status, of).toBe(isSeen ? 200 : 404)
    }
  })

  test('manage_tickets does not widen the scope', async () => {
    await become('reassigner', ['manage_tickets'])
    expect((await who['beside']!.call('GET', at(made['agent']!))).status).toBe(404)
    expect((await who['beside']!.call('PUT', at(made['agent']!), { version: 1, statusid: 4 })).status).toBe(
      404,
    )
    expect((await who['beside']!.call('DELETE', at(made['agent']!))).status).toBe(404)
    await become('reassigner', [])
  })

  test('users see their own tickets after leaving the branch, and without a branch', async () => {
    await portal.db.query(`update portal_user set masteragentid = null where username = 'reassigner'`)
    expect((await who['beside']!.call('GET', at(made['beside']!))).body).toMatchObject({
      id: made['beside'],
      own: true,
    })
    await portal.db.query(`update portal_user set masteragentid = 3 where username = 'reassigner'`)
  })

  test('the branch of the person who filed it counts as it is now, and as it was then once they are gone', async () => {
    const [first, second] = [
      (await fileTicket(who['under']!)).body.id,
      (await fileTicket(who['beside']!)).body.id,
    ]
    const statuses = (name: string) =>
      Promise.all([first, second].map(async (id) => (await who[name]!.call('GET', at(id))).status))
    expect([await statuses('agent'), await statuses('beside')]).toEqual([
      [200, 404],
      [404, 200],
    ])
    const agents = await portal.db.query<{ username: string; masteragentid: number }>(
      `select username, masteragentid from portal_user where username in ('importer', 'reassigner')`,
    )
    const move = (username: string, agent: number) =>
      portal.db.query('update portal_user set masteragentid = $2 where username = $1', [username, agent])
    await move('importer', 3)
    await move('reassigner', 2)
    expect([await statuses('agent'), await statuses('under')]).toEqual([
      [404, 200],
      [200, 404],
    ])
    await portal.db.query('update ticket set reporterid = null where id = any ($1)', [[first, second]])
    for (const { username, masteragentid } of agents) await move(username, masteragentid)
    expect([await statuses('agent'), await statuses('beside')]).toEqual([
      [200, 404],
      [404, 200],
    ])
  })

  test('nobody without a validated email, whatever they hold', async () => {
    await portal.db.query(`update portal_user set email = null where username in ('clerk', 'admin')`)
    for (const name of ['clerk', 'admin'])
      for (const [method, path] of [
        ['GET', '/api/v1/ticket'],
        ['GET', at(made['clerk']!)],
        ['POST', '/api/v1/ticket'],
        ['PUT', at(made['clerk']!)],
        ['GET', at(made['clerk']!, '/attachment')],
      ] as const) {
        const body =
          method === 'GET' ? undefined : method === 'POST' ? goodTicket : { version: 1, statusid: 4 }
        expect(await who[name]!.call(method, path, body), `${name} ${method} ${path}`).toMatchObject({
          status: 403,
          body: { error: 'Validate your email to see support tickets' },
        })
      }
    for (const path of [at(made['clerk']!), at(made['clerk']!, '/attachment?id=1')])
      expect((await who['admin']!.call('DELETE', path)).status, path).toBe(403)
    await portal.db.query(
      `update portal_user set email = username || '@example.com' where username in ('clerk', 'admin')`,
    )
  })
})

describe('who changes a ticket', () => {
  const texts = { subject: 'changed' }
  const status = { statusid: 4 }
  test.each<[string, string, string[], boolean, object, number]>([
    ['who filed it', 'under', [], false, texts, 200],
    ['who filed it', 'under', [], false, status, 403],
    ['who filed it', 'under', [], false, { ...texts, ...status }, 403],
    ['who filed it and manages', 'under', ['manage_tickets'], false, status, 200],
    ['who sees it', 'agent', [], false, texts, 403],
    ['who sees it', 'agent', [], false, status, 403],
    ['who sees it and manages', 'agent', ['manage_tickets'], false, { ...texts, ...status }, 200],
    ['who sees all and manages merchants', 'clerk', ['manage_merchants', 'manage_users'], false, status, 403],
    ['an administrator', 'admin', [], true, status, 200],
  ])('%s, %s with %j: %j', async (_, name, permissions, admin, change, expected) => {
    const username = { under: 'importer', agent: 'agent', clerk: 'clerk', admin: 'admin' }[name]!
    const [{ body }, { body: other }] = [await fileTicket(who['under']!), await fileTicket(who['under']!)]
    await become(username, permissions, admin)
    const answer = await who[name]!.call('PUT', at(body.id), { version: 1, ...change })
    expect(answer.status).toBe(expected)
    if (expected === 403) {
      const [sentence, refused] =
        name === 'under'
          ? ['Only who manages tickets may change the status', ['statusid']]
          : ['You may not change tickets of others', Object.keys(change)]
      const fields = Object.fromEntries(refused.map((field) => [field, sentence]))
      expect(answer.body).toMatchObject({ error: sentence })
      expect(answer.body.fields).toEqual(fields)
    }
    expect(await stored(body.id)).toMatchObject(
      expected === 200 ? { version: 2, ...change } : { version: 1, subject: goodTicket.subject, statusid: 1 },
    )
    expect(await stored(other.id)).toMatchObject({ version: 1, subject: goodTicket.subject, statusid: 1 })
    await become(username, [], admin)
  })

  test.each<[string, string, string[], number]>([
    ['agent', 'agent', [], 403],
    ['under', 'importer', [], 403],
    ['agent', 'agent', ['manage_tickets'], 204],
    ['admin', 'admin', [], 204],
  ])('%s (%s) with %j deletes it: %i', async (name, username, permissions, expected) => {
    const { body } = await fileTicket(who['under']!, {}, [{ name: 'a.txt', content: 'x' }])
    const { body: other } = await fileTicket(who['under']!)
    await become(username, permissions, username === 'admin')
    expect((await who[name]!.call('DELETE', at(body.id))).status).toBe(expected)
    expect(Boolean(await stored(body.id))).toBe(expected === 403)
    expect(await stored(other.id)).toMatchObject({ version: 1 })
    const parts = await portal.db.query('select 1 from ticket_attachment_part where attachmentid = $1', [
      body.files[0].id,
    ])
    expect(parts).toHaveLength(expected === 403 ? 1 : 0)
    await become(username, [], username === 'admin')
  })

  test('an attachment is removed by the person who filed the ticket and by the person who manages it, and by nobody else', async () => {
    const { body } = await fileTicket(who['under']!, {}, [
      { name: 'a.txt', content: 'x' },
      { name: 'b.txt', content: 'y' },
    ])
    const [a, b] = body.files.map(({ id }: { id: number }) => at(body.id, `/attachment?id=${id}`))
    const other = (await fileTicket(who['under']!, {}, [{ name: 'c.txt', content: 'z' }])).body.files[0].id
    expect((await who['agent']!.call('DELETE', a)).status).toBe(403)
    expect((await who['beside']!.call('DELETE', a)).status).toBe(404)
    expect((await who['under']!.call('DELETE', at(body.id, `/attachment?id=${other}`))).status).toBe(404)
    expect((await who['under']!.call('DELETE', at(body.id, '/attachment'))).status).toBe(400)
    expect((await who['under']!.call('DELETE', a)).status).toBe(204)
    expect((await who['under']!.call('GET', a)).status).toBe(404)
    await become('agent', ['manage_tickets'])
    expect((await who['agent']!.call('DELETE', b)).status).toBe(204)
    await become('agent', [])
    expect((await who['under']!.call('GET', at(body.id))).body).toMatchObject({
      version: 3,
      files: [],
      attachments: 0,
    })
  })

  test('the download of an attachment that is removed meanwhile breaks off, and does not end as if it were whole', async () => {
    const { body } = await fileTicket(who['under']!, {}, [{ name: 'a.txt', content: 'x' }])
    const [file] = body.files
    expect(await textOf(readAttachment(portal.db, file, null))).toBe('x')
    const begun = readAttachment(portal.db, file, null)
    await who['under']!.call('DELETE', at(body.id, `/attachment?id=${file.id}`))
    await expect(textOf(begun)).rejects.toThrow('The attachment was deleted while it was sent')
  })

  test('of two who remove one attachment at once the second is answered 404, and the audit has it once', async () => {
    const { body } = await fileTicket(who['under']!, {}, [{ name: 'a.txt', content: 'x' }])
    const path = at(body.id, `/attachment?id=${body.files[0].id}`)
    const remove = () => who['under']!.call('DELETE', path)
    const [first, second] = await whileUncommitted(
      portal.db,
      (tx) => tx.query('select from ticket where id = $1 for update', [body.id]),
      () => Promise.all([remove(), remove()]),
      () => expect.poll(() => waitingForLocks(portal.db), { interval: 10 }).toBe(2),
    )
    expect([first.status, second.status].sort()).toEqual([204, 404])
    const entries = await portal.db.query(
      `select before from audit where entity = 'ticket attachment' and action = 'delete' and entityid = $1`,
      [String(body.files[0].id)],
    )
    expect(entries).toEqual([{ before: { ...body.files[0], ticketid: body.id } }])
  })

  test('of two who began with the same version the second is answered 409', async () => {
    const { body } = await fileTicket(who['admin']!)
    const change = (version: unknown, headers: Record<string, string> = {}) =>
      who['admin']!.call(
        'PUT',
        at(body.id),
        { statusid: 2, ...(version !== undefined && { version }) },
        headers,
      )
    expect((await change(1)).status).toBe(200)
    expect(await change(1)).toMatchObject({
      status: 409,
      body: { code: 'stale', error: 'This ticket was changed by somebody else meanwhile' },
    })
    expect(await who['admin']!.call('DELETE', at(body.id), undefined, { 'if-match': '"1"' })).toMatchObject({
      status: 409,
      body: { code: 'stale' },
    })
    // As after a restore: the version that was read is one that the ticket has not had yet.
    for (const answer of [
      await change(3),
      await who['admin']!.call('DELETE', at(body.id), undefined, { 'if-match': '"3"' }),
    ])
      expect(answer).toMatchObject({ status: 409, body: { code: 'stale' } })
    expect((await change(undefined)).status).toBe(400)
    expect((await change(undefined, { 'if-match': '"2"' })).status).toBe(200)
    expect((await who['admin']!.call('PUT', at(body.id), { version: 2, statusid: 9 })).status).toBe(422)
    expect((await who['admin']!.call('PUT', at(body.id), { version: 2, subject: '' })).body.fields).toEqual({
      subject: 'Agent Office-Merchant-Issue is required',
    })
  })

  test.each(['agentoffice', 'agentname', 'email', 'subject', 'description'])(
    '%s is kept without blanks at its ends, as it is when a ticket is filed',
    async (field) => {
      const { body } = await fileTicket(who['admin']!)
      const put = (version: number, text: string) =>
        who['admin']!.call('PUT', at(body.id), { version, [field]: text })
      const text = field === 'description' ? 'One\r\nTwo' : 'desk@example.com'
      expect(await put(1, `\t ${text}\r\n `)).toMatchObject({ status: 200, body: { version: 2 } })
      expect(await stored(body.id)).toMatchObject({ [field]: text.replace('\r', '') })
      // The same again is no change.
      expect(await put(2, ` ${text}`)).toMatchObject({ status: 200, body: { version: 2 } })
    },
  )

  test('a text with blanks that was stored before they were taken off is no change when it is sent back', async () => {
    const { body } = await fileTicket(who['under']!)
    await portal.db.query(`update ticket set subject = ' Kept ' where id = $1`, [body.id])
    await become('agent', [])
    const answer = await who['agent']!.call('PUT', at(body.id), { version: 1, subject: ' Kept ' })
    expect(answer).toMatchObject({ status: 200, body: { version: 1, subject: ' Kept ' } })
  })

  test("one of somebody who is no longer there is nobody's own, and is taken back as it was answered", async () => {
    const { body } = await fileTicket(who['under']!)
    await portal.db.query('update ticket set reporterid = null where id = $1', [body.id])
    const { body: ticket } = await who['admin']!.call('GET', at(body.id))
    expect(ticket).toMatchObject({ id: body.id, own: false, reporter: 'importer' })
    const search = await who['admin']!.call('GET', `/api/v1/ticket?search=%23${body.id}`)
    expect(search.body.data).toMatchObject([{ id: body.id, own: false }])
    expect(await who['admin']!.call('PUT', at(body.id), { ...ticket, statusid: 2 })).toMatchObject({
      status: 200,
      body: { statusid: 2, own: false },
    })
  })

  test.each<['PUT' | 'DELETE', object]>([
    ['PUT', { version: 1, statusid: 2 }],
    ['DELETE', { version: 1 }],
  ])('%s waits for a change that is being stored, and is told of it', async (method, change) => {
    const { body } = await fileTicket(who['admin']!)
    const raise = `update ticket set version = version + 1, statusid = 3 where id = $1`
    const answer = await whileUncommitted(
      portal.db,
      (tx) => tx.query(raise, [body.id]),
      () => who['admin']!.call(method, at(body.id), change),
    )
    expect(answer).toMatchObject({ status: 409, body: { code: 'stale' } })
    expect(await stored(body.id)).toMatchObject({ version: 2, statusid: 3 })
  })

  test('every action is in the audit, with what was there before it and what is there after it', async () => {
    const { body } = await fileTicket(who['under']!)
    await who['under']!.call('PUT', at(body.id), { version: 1, subject: ' audited\r\n' })
    await who['admin']!.call('DELETE', at(body.id))
    const rows = await portal.db.query(
      `select action, username, before, after from audit where entity = 'ticket' and entityid = $1
        order by id`,
      [String(body.id)],
    )
    const last = { ...body, subject: 'audited', version: 2, own: false }
    expect(rows).toEqual([
      { action: 'create', username: 'importer', before: null, after: body },
      {
        action: 'update',
        username: 'importer',
        before: { subject: goodTicket.subject },
        after: { subject: 'audited' },
      },
      { action: 'delete', username: 'admin', before: last, after: null },
    ])
  })
})

describe('the list', () => {
  test('is paged, the newest first, sorted by every column of the screen, and refuses others', async () => {
    await portal.db.query(
      `insert into ticket (email, tickettypeid, subject, description, reporter) select 'a@b.co', 1 + n % 9, 'number ' || n, 'd', 'gone' from generate_series(1, 25) n`,
    )
    const { body } = await who['admin']!.call('GET', '/api/v1/ticket?size=10&page=2')
    expect(body.data).toHaveLength(10)
    const all = (await portal.db.query<{ id: number }>('select id from ticket order by id desc')).map(
      ({ id }) => id,
    )
    expect([body.total_length, body.data.map(({ id }: { id: number }) => id)]).toEqual([
      all.length,
      all.slice(10, 20),
    ])
    await portal.db.query(`insert into ticket (email, tickettypeid, subject, description, reporter) values
      ('a@b.co', 1, 'zulu', 'd', 'gone'), ('a@b.co', 1, 'Zebra', 'd', 'Gone')`)
    for (const sort of ['subject', 'reporter']) {
      const { body: found } = await who['admin']!.call('GET', `/api/v1/ticket?size=100&sort=${sort}`)
      const texts = found.data.map((row: Record<string, string>) => row[sort]!.toLowerCase())
      expect(texts).toEqual(texts.toSorted())
    }
    for (const sort of ['statusid', '-statusid']) {
      const { body: found } = await who['admin']!.call('GET', `/api/v1/ticket?size=100&sort=${sort}`)
      const open = found.data.filter((row: { statusid: number }) => row.statusid === 1)
      const ids = open.map(({ id }: { id: number }) => id)
      expect([ids.length > 25, ids]).toEqual([true, ids.toSorted((a: number, b: number) => b - a)])
    }
    await portal.db.query(`delete from ticket where subject in ('zulu', 'Zebra')`)
    for (const sort of ['id', 'subject', 'tickettypeid', 'statusid', 'reporter', 'created', 'attachments'])
      for (const sign of ['', '-'])
        expect((await who['admin']!.call('GET', `/api/v1/ticket?sort=${sign}${sort}`)).status, sort).toBe(200)
    for (const query of ['sort=description', 'sort=constructor', 'size=11', 'page=0', 'other=1'])
      expect((await who['admin']!.call('GET', `/api/v1/ticket?${query}`)).status, query).toBe(400)
    expect((await who['admin']!.call('GET', '/api/v1/ticket?page=9999')).body).toEqual({
      data: [],
      total_length: all.length,
    })
  })

  test.each([
    ['tickettypeid', 'Account Closing, Bank Change, New Application Submission, Other'],
    ['statusid', 'Closed, Escalated, On Hold, Open'],
    ['created', '1, 2, 3, 4'],
    ['attachments', '0, 1, 2, 3'],
  ])('is sorted by %s as its column shows it: %s', async (field, shown) => {
    onTestFinished(async () => void (await portal.db.query(`delete from ticket where subject = 'sorted'`)))
    await portal.db.query(
      `with made as (
          insert into ticket (email, tickettypeid, statusid, subject, description, reporter, created_at)
            select 'a@b.co', (array[9, 1, 6, 5])[n], n, 'sorted', 'd', 'gone', to_timestamp((array[3, 1, 4, 2])[n])
            from generate_series(1, 4) n returning id, statusid)
        insert into ticket_attachment (ticketid, name, mimetype, size)
          select id, 'a', 'b', 0 from made, generate_series(1, (array[1, 3, 0, 2])[statusid])`,
    )
    const inOrder = async (sort: string) => {
      const { body } = await who['admin']!.call('GET', `/api/v1/ticket?search=sorted&sort=${sort}`)
      const titles = { tickettypeid: ticketTypes, statusid: ticketStatuses }[field]
      const wordOf = (value: number) => titles?.find((it) => it.const === value)?.title ?? String(value)
      return body.data.map((row: Record<string, number>) => wordOf(row[field]!))
    }
    const wanted = shown.split(', ')
    expect([await inOrder(field), await inOrder(`-${field}`)]).toEqual([wanted, wanted.toReversed()])
  })

  test.each([
    ['attachments:..0', ['none']],
    ['attachments:1..1', ['one']],
    ['attachments:1..', ['two', 'one']],
    ['created:2026-03-04..2026-03-04', ['two', 'none']],
    ['created:2026-03-05..', ['one']],
  ])('has of %s those that its columns show so', async (filter, subjects) => {
    onTestFinished(
      async () => void (await portal.db.query(`delete from ticket where description = 'filtered'`)),
    )
    await portal.db.query(
      `with made as (
          insert into ticket (email, tickettypeid, subject, description, reporter, created_at)
            values ('a@b.co', 1, 'none', 'filtered', 'gone', '2026-03-04 00:00:00Z'),
              ('a@b.co', 1, 'one', 'filtered', 'gone', '2026-03-05 00:00:00Z'),
              ('a@b.co', 1, 'two', 'filtered', 'gone', '2026-03-04 23:59:59.7Z') returning id, subject)
        insert into ticket_attachment (ticketid, name, mimetype, size)
          select id, 'a', 'b', 0 from made, generate_series(1, case subject when 'one' then 1 when 'two' then 2 else 0 end)`,
    )
    const { body } = await who['admin']!.call('GET', `/api/v1/ticket?search=filtered&filter=${filter}`)
    expect(body.data.map(({ subject }: { subject: string }) => subject)).toEqual(subjects)
  })

  test('finds by subject, office, name, address, reporter, description and number, and takes % literally', async () => {
    const fields = {
      agentoffice: 'Zeta Office',
      agentname: 'Yolanda',
      email: 'xavier@example.com',
      subject: 'Wombat',
      description: 'Vortex 100%',
    }
    const { body } = await fileTicket(who['under']!, fields)
    for (const text of [
      'zeta',
      'yoland',
      'xavier@',
      'wombat',
      'vortex',
      '100%',
      'importer',
      String(body.id),
      `%23${body.id}`,
    ]) {
      const found = await who['admin']!.call('GET', `/api/v1/ticket?search=${text.replace('100%', '100%25')}`)
      expect(
        found.body.data.map(({ id }: { id: number }) => id),
        text,
      ).toContain(body.id)
    }
    expect((await who['admin']!.call('GET', '/api/v1/ticket?search=%25%25%25')).body.data).toEqual([])
    const plan = await portal.db.transaction(async (tx) => {
      await tx.query('set local enable_seqscan = off')
      return tx.query(
        `explain select id from ticket t where search_text(t.subject || ' ' || t.agentoffice || ' ' || t.agentname || ' ' || t.email || ' ' || t.reporter || ' ' || t.description) like '%wombat%'`,
      )
    })
    expect(JSON.stringify(plan)).toContain('ticket_search')
  })

  test('finds by the words of type and status, also together with words of the texts', async () => {
    const filed = { subject: 'Quokka Bakery', tickettypeid: 7 }
    const { body } = await fileTicket(who['under']!, filed)
    const closed = (await fileTicket(who['under']!, filed)).body.id
    await portal.db.query('update ticket set statusid = 4 where id = $1', [closed])
    const found = async (text: string) => {
      const answer = await who['admin']!.call(
        'GET',
        `/api/v1/ticket?size=100&search=${encodeURIComponent(text)}`,
      )
      return answer.body.data.map(({ id }: { id: number }) => id)
    }
    expect(await found('OPEN quokka')).toEqual([body.id])
    expect(await found('price change quokka')).toEqual([closed, body.id])
    expect(await found('close quokka price')).toEqual([closed])
    expect(await found('open')).toContain(body.id)
    expect(await found('open')).not.toContain(closed)
  })

  test('of types and statuses has those of the form and of decision 12', async () => {
    const names = async (what: string) =>
      (await who['agent']!.call('GET', `/api/v1/ticket/${what}`)).body.data.map(
        ({ id, name }: { id: number; name: string }) => `${id} ${name}`,
      )
    const options = [
      'New Application Submission',
      'Equipment Sale',
      'Statement Breakdown',
      'Integration Questions',
      'Bank Change',
      'Account Closing',
      'Price Change',
      'Commissions',
      'Other',
    ]
    expect(await names('type')).toEqual(options.map((name, index) => `${index + 1} ${name}`))
    expect(await names('status')).toEqual(['1 Open', '2 On Hold', '3 Escalated', '4 Closed'])
  })
})
