import { read, utils, type CellObject } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Row } from '../../../schemas/entities/entity.ts'
import { entities } from '../../../schemas/entities/index.ts'
import { columnTitle, propertyOf } from '../../../schemas/entities/lists/columns.ts'
import { offeredColumns, readColumns } from '../../../schemas/entities/lists/layout.ts'
import { ticketList } from '../../../schemas/entities/ticket.ts'
import { noPermissions } from '../../../schemas/permissions.ts'
import { oracles } from '../../rights/all.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { fileTicket } from '../../ticket.ts'

/** An administrator, to whom each list offers all its columns. */
const administrator = {
  username: 'ann',
  admin: true,
  masteragentid: null,
  seesall: true,
  permissions: noPermissions,
}
let portal: TestPortal
let admin: SignedIn
let agent: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  ;[admin, agent] = [await portal.login('admin'), await portal.login('agent')]
})
afterAll(() => portal.close())

const downloadRows = async (path: string, who = admin): Promise<string[][]> => {
  const { status, body } = await who.call('GET', `/api/v1/${path}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return parse(String(body).replace(/^\ufeff/, '')) as string[][]
}
const total = async (path: string, who = admin) =>
  (await who.call('GET', `/api/v1/${path}`)).body.total_length as number

describe('the file of a list', () => {
  test.each(Object.values(entities))('of $name holds a heading and every row', async (it) => {
    const { oracle } = oracles.find((one) => one.oracle.it.name === it.name)!
    if ((await total(it.name)) === 0) await admin.call('POST', `/api/v1/${it.name}`, oracle.draft(1, 2))
    const [head, ...rows] = await downloadRows(`${it.name}/export?format=csv`)
    expect(head).toHaveLength(readColumns(it, administrator, '').length)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows).toHaveLength(await total(it.name))
  })

  test('holds all pages of what is searched and filtered, in the order of the list', async () => {
    const query = 'search=approved&filter=accountstatus:2;masteragentid:2,3&sort=-dba'
    const [head, ...rows] = await downloadRows(`merchant/export?format=csv&${query}`)
    const { body } = await admin.call('GET', `/api/v1/merchant?size=100&${query}`)
    expect(body.total_length).toBeGreaterThan(10)
    expect(rows.map(([xmid]) => xmid)).toEqual(body.data.map(({ xmid }: { xmid: string }) => xmid))
    expect(head!.slice(0, 3)).toEqual(['XMID', 'DBA', 'Business Type'])
    expect(rows.every((cells) => cells[12] === 'Active' && /^MA000[23] - /.test(cells[6]!))).toBe(true)
  })

  test('writes what the list shows: words, names, days, amounts, and secrets by their last four', async () => {
    await portal.db.query(`update merchant set date_added = 1767312000, date_closed = 0 where id = 1`)
    const [first] = await portal.db.query<{ xmid: string }>('select xmid from merchant where id = 1')
    const [head, row] = await downloadRows(`merchant/export?format=csv&search=${first!.xmid}`)
    const cell = (title: string) => row![head!.indexOf(title)]
    expect([cell('Date Added'), cell('Date Closed')]).toEqual(['01/02/2026', ''])
    const [agentHead, ...agents] = await downloadRows('masteragent/export?format=csv')
    const numbers = agents.map((cells) => cells[agentHead!.indexOf('Bank Account #')]!)
    expect(numbers.filter((text) => text !== '' && !/^\*+.{4}$/.test(text))).toEqual([])
    expect([agentHead![1], agents[1]![1]]).toEqual(['Parent', 'MA0001 - House Account'])
  })

  test('writes a month as the list does, and nothing where there is none', async () => {
    await portal.db.query(
      `insert into processor (name, since) values ('Since Pay', '2026-10-01'), ('Never Pay', null)`,
    )
    const path = 'processor/export?format=csv&columns=name,since&sort=name'
    expect(await downloadRows(`${path}&search=since`)).toContainEqual(['Since Pay', 'October 2026'])
    expect(await downloadRows(`${path}&search=never`)).toContainEqual(['Never Pay', ''])
  })

  test.each(Object.values(entities))(
    'of $name holds the columns that are asked for, in their order',
    async (it) => {
      const columns = offeredColumns(it, administrator)
        .filter(({ field }) => field !== it.list.columns[0]!.field)
        .reverse()
      const [head] = await downloadRows(
        `${it.name}/export?format=csv&columns=${columns.map(({ field }) => field).join()}`,
      )
      // A file has the UTC day of what the list shows in the zone of its reader (lists 10).
      const zone = ({ field }: { field: string }) => (field === 'recorded' ? ' (UTC)' : '')
      expect(head).toEqual(
        columns.map((column) => columnTitle(column, propertyOf(it, column)) + zone(column)),
      )
    },
  )

  test('shows further fields as the list does, without the prices of shared terminals', async () => {
    await portal.db.query(`insert into equipment (model, serialnumber, merchantid, masteragentid, cost)
      select 'Trio', 'FX2', (select min(id) from merchant where masteragentid = 3), 2, 99`)
    const path = 'equipment/export?format=csv&search=fx2&columns=cost,model,paidstatus'
    const [head, row] = await downloadRows(path)
    expect([head, row]).toEqual([
      ['Cost', 'Model', 'Paid Status'],
      ['99.00', 'Trio', 'No'],
    ])
    expect((await downloadRows(path, agent))[1]).toEqual(['', 'Trio', ''])
  })

  test('of users holds the column Administrator for administrators alone', async () => {
    const path = '/api/v1/user/export?format=csv&columns=username,admin'
    const manager = await portal.login('staff')
    expect((await admin.call('GET', path)).status).toBe(200)
    const { status, body } = await manager.call('GET', path)
    expect([status, body.error]).toEqual([
      400,
      '"admin" is no column of this list: use id, username, masteragentid',
    ])
  })

  test('neutralises what a spreadsheet would take for a formula', async () => {
    await portal.db.query(`update merchant set notes = '=1+1 Neutral', sales_rep = '@neutral' where id = 2`)
    const [head, row] = await downloadRows('merchant/export?format=csv&search=neutral')
    expect([row![head!.indexOf('Notes')], row![head!.indexOf('Sales Rep')]]).toEqual([
      "'=1+1 Neutral",
      "'@neutral",
    ])
  })

  test('holds the rows in the scope of the caller alone', async () => {
    const [, ...rows] = await downloadRows('merchant/export?format=csv', agent)
    expect(rows).toHaveLength(await total('merchant', agent))
    expect(rows.length).toBeLessThan(await total('merchant'))
    await portal.db.query(`insert into equipment (model, serialnumber, merchantid, masteragentid, cost)
      select 'Trio', 'FX1', (select min(id) from merchant where masteragentid = 3), 2, 99`)
    const [head, terminal] = await downloadRows('equipment/export?format=csv&search=fx1', agent)
    expect([terminal![head!.indexOf('Merchant ID')], terminal![0]]).toEqual(['', 'Trio'])
  })

  const figures: Partial<Record<string, string>> = {
    date: 'mm/dd/yyyy',
    moment: 'mm/dd/yyyy',
    dollars: '#,##0.00',
    percent: '0.00##"%"',
    number: '#,##0',
  }
  const seen = new Set<string>()
  test.each([...Object.values(entities), ticketList])(
    'of $name as .xlsx has figures and days as numbers in their format, and all else as text',
    async (it) => {
      await portal.db.query(`update portal_user set email = 'a@example.com' where username = 'admin'`)
      if (it === ticketList) await fileTicket(admin, { subject: '12' })
      const data: Row[] = (await admin.call('GET', `/api/v1/${it.name}?size=10`)).body.data
      const { rawPayload } = await portal.app.inject({
        url: `/api/v1/${it.name}/export`,
        headers: { authorization: `Bearer ${admin.token}` },
      })
      const [sheet] = Object.values(read(rawPayload, { type: 'buffer', cellNF: true }).Sheets)
      const rows = utils.decode_range(sheet!['!ref']!).e.r
      expect(rows).toBeGreaterThan(0)
      for (const [c, column] of readColumns(it, administrator, '').entries()) {
        const isNumber = !column.as && data.some((row) => typeof row[column.field] === 'number')
        for (let r = 1; r <= rows; r++) {
          const cell = sheet![utils.encode_cell({ r, c })] as CellObject | undefined
          if (cell === undefined || cell.t === 'z') continue
          const format = isNumber ? '#,##0' : figures[column.as ?? 'text']
          if (format === undefined) expect([column.head, r, cell.t]).toEqual([column.head, r, 's'])
          else expect([column.head, r, cell.t, cell.z]).toEqual([column.head, r, 'n', format])
          seen.add(column.as ?? (isNumber ? 'plain number' : 'text'))
        }
      }
    },
  )
  test('as .xlsx was seen with every kind of figure', () =>
    expect([...seen]).toEqual(
      expect.arrayContaining([...Object.keys(figures), 'plain number', 'text', 'month', 'flag']),
    ))

  test('is an .xlsx unless .csv is asked for, named by the list and the day', async () => {
    const { headers } = await admin.call('GET', '/api/v1/user/export?search=agent')
    expect(headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="Users \d{4}-\d\d-\d\d\.xlsx"$/)
  })

  // One of them is always at another day than UTC.
  test.each(['Pacific/Kiritimati', 'Pacific/Niue'])(
    'is named by the day in the zone of the portal, %s',
    async (zone) => {
      const { timeZone } = portal.config
      portal.config.timeZone = zone
      const day = () => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format()
      const before = day()
      const { headers } = await admin.call('GET', '/api/v1/user/export?search=agent')
      portal.config.timeZone = timeZone
      const named = /"Users (\S+)\.xlsx"/.exec(String(headers['content-disposition']))![1]
      expect([before, day()]).toContain(named)
    },
  )

  test('says on a sheet of its own what was asked for', async () => {
    const { rawPayload } = await portal.app.inject({
      url: '/api/v1/merchant/export?search=approved&filter=accountstatus:2&sort=-dba',
      headers: { authorization: `Bearer ${admin.token}` },
    })
    const about = read(rawPayload).Sheets['About']!
    expect(utils.sheet_to_json(about, { header: 1 })).toEqual([
      ['Merchants', expect.stringMatching(/^\d{4}-\d\d-\d\d$/)],
      ['search', 'approved'],
      ['filter', 'accountstatus:2'],
      ['sort', '-dba'],
    ])
  })

  test('is in the audit with what was asked for and how many rows it had', async () => {
    await portal.db.query('delete from equipment')
    for (const model of ['Zebra 1', 'Zebra 2', 'Other'])
      await admin.call('POST', '/api/v1/equipment', { model, serialnumber: model, masteragentid: 2 })
    await admin.call(
      'GET',
      '/api/v1/equipment/export?format=csv&search=zebra&filter=masteragentid:2&sort=model&columns=cost',
    )
    const [entry] = await portal.db.query(
      `select username, action, entity, entityid, after from audit order by id desc limit 1`,
    )
    expect(entry).toEqual({
      username: 'admin',
      action: 'export',
      entity: 'equipment',
      entityid: 'csv',
      after: { search: 'zebra', filter: 'masteragentid:2', sort: 'model', columns: 'cost', rows: 2 },
    })
    const { body } = await admin.call('GET', '/api/v1/audit?record=equipment&kind=export')
    expect(body.data[0].what).toMatch(/^Downloaded /)
  })

  test.each([
    ['merchant/export?sort=secret', 400, /^sort must be one of xmid, .*, or one with a leading -$/],
    ['merchant/export?filter=x:1', 400, /^"x" is no filter of this list/],
    ['merchant/export?columns=xmid,secret', 400, /^"secret" is no column of this list: use xmid, dba, /],
    ['merchant/export?columns=xmid,dba,xmid', 400, /^columns names "xmid" twice$/],
    ['masteragent/export?columns=ratesfrom', 400, /^"ratesfrom" is no column of this list/],
    ['merchant/export?page=2', 400, /page/],
    ['merchant/export?format=pdf', 400, /format/],
    ['tc/export?search=x', 400, /^The list of Terms and Conditions cannot be searched$/],
  ])('of %s is answered %i with a sentence', async (path, status, error) => {
    const { status: answered, body } = await admin.call('GET', `/api/v1/${path}`)
    expect(answered).toBe(status)
    expect(body.error).toMatch(error)
  })

  test('is refused to a person who may not see the list', async () => {
    expect((await agent.call('GET', '/api/v1/user/export')).status).toBe(403)
  })
})
