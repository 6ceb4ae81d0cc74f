import { read } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { fileTicket } from '../../ticket.ts'

let portal: TestPortal
let admin: SignedIn
let agent: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  await portal.db.query(`update portal_user set email = 'a@example.com' where username = 'admin'`)
  ;[admin, agent] = [await portal.login('admin'), await portal.login('agent')]
  await portal.db.query('delete from ticket')
  for (const subject of ['=1+1 terminal', 'A terminal is late', 'Price']) await fileTicket(agent, { subject })
  await fileTicket(admin, { subject: 'Of the house, a terminal' })
  // The last moment of its day.
  await portal.db.query(`update ticket set created_at = '2026-03-04 23:59:59.7Z', statusid = 3`)
})
afterAll(() => portal.close())

const downloadRows = async (query: string, who: SignedIn) => {
  const { status, body } = await who.call('GET', `/api/v1/ticket/export?format=csv${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return parse(String(body).replace(/^\ufeff/, '')) as string[][]
}

describe('the file of the tickets', () => {
  test('has the columns and words of the list, the UTC day, and no formula', async () => {
    const [head, ...rows] = await downloadRows('&sort=subject', admin)
    expect(head).toEqual(['Number', 'Subject', 'Type', 'Status', 'Reporter', 'Created (UTC)', 'Attachments'])
    expect(rows.map((row) => row[1])).toEqual([
      "'=1+1 terminal",
      'A terminal is late',
      'Of the house, a terminal',
      'Price',
    ])
    expect(rows[1]!.slice(3)).toEqual(['Escalated', 'agent', '03/04/2026', '0'])
  })

  test('has all that is searched and filtered, in the order of the list', async () => {
    const query = '&search=terminal&filter=statusid:3&sort=-subject'
    const [, ...rows] = await downloadRows(query, admin)
    const { body } = await admin.call('GET', `/api/v1/ticket?size=10${query}`)
    expect(rows.map(([id]) => Number(id))).toEqual(body.data.map(({ id }: { id: number }) => id))
    expect(rows).toHaveLength(3)
  })

  test('has the tickets in the sight of the caller alone', async () => {
    const [, ...rows] = await downloadRows('', agent)
    expect(rows.map((row) => row[1])).not.toContain('Of the house, a terminal')
    expect(rows).toHaveLength(3)
  })

  test('is in the audit with what was asked for and how many rows it had', async () => {
    await downloadRows('&search=zebra&filter=statusid:1', agent)
    const [entry] = await portal.db.query(
      'select username, action, entity, entityid, after from audit order by id desc limit 1',
    )
    expect(entry).toEqual({
      username: 'agent',
      action: 'export',
      entity: 'ticket',
      entityid: 'csv',
      after: { search: 'zebra', filter: 'statusid:1', rows: 0 },
    })
  })

  test.each([
    ['?sort=secret', 400, /^sort must be one of id, subject, .*, or one with a leading -$/],
    ['?filter=x:1', 400, /^"x" is no filter of this list/],
    ['?format=pdf', 400, /format/],
  ])('of %s is answered %i with a sentence', async (query, status, error) => {
    const { status: answered, body } = await admin.call('GET', `/api/v1/ticket/export${query}`)
    expect([answered, String(body.error)]).toEqual([status, expect.stringMatching(error)])
  })

  test('is an .xlsx unless .csv is asked for, with days that have no time', async () => {
    const { headers, rawPayload } = await portal.app.inject({
      url: '/api/v1/ticket/export',
      headers: { authorization: `Bearer ${admin.token}` },
    })
    expect(headers['content-disposition']).toMatch(/^attachment; filename="Tickets \d{4}-\d\d-\d\d\.xlsx"$/)
    const sheet = Object.values(read(rawPayload).Sheets)[0]!
    // The serial number of 4 March 2026.
    expect(['F2', 'F3', 'F4', 'F5'].map((at) => (sheet[at] as { v: unknown }).v)).toEqual(
      Array<number>(4).fill(46_085),
    )
  })

  test('needs a validated email', async () => {
    await portal.db.query(`update portal_user set email = null where username = 'agent'`)
    const { status, body } = await agent.call('GET', '/api/v1/ticket/export')
    expect([status, body.error]).toEqual([403, 'Validate your email to see support tickets'])
  })
})
