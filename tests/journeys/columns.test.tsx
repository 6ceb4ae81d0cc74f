import { screen, waitFor, within } from '@testing-library/dom'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entities } from '../../schemas/entities/index.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../testPortal.ts'
import { openAs } from './screens.ts'

let portal: TestPortal
let admin: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  admin = await portal.login('admin')
  await portal.db.query('delete from equipment')
  await portal.db.query('delete from adjustment')
  await portal.db.query('delete from merchant where masteragentid <> 7')
  await portal.db.query('delete from merchant where id in (select id from merchant offset 3)')
  await portal.db.query(
    'update merchant set accountstatus = case when id = (select min(id) from merchant) then 3 else 2 end',
  )
})
afterAll(() => portal.close())

const make = async (name: string, body: object) => {
  const { status, body: row } = await admin.call('POST', `/api/v1/${name}`, body)
  if (status !== 201) throw new Error(JSON.stringify(row))
  return row as { id: number; displayid: string }
}
/** 2026-01-02 and 2025-12-31, UTC midnight. */
const [second, last] = [1_767_312_000, 1_767_139_200]

// Written from docs/product (merchants 1, agents 1, equipment 1).
const heads: Record<string, string[]> = {
  masteragent: [
    'Name',
    'Parent',
    'Percentage Commission Received',
    'Amount Commission Received',
    'Percentage Equipment Commission Received',
    'Amount Equipment Commission Received',
    'Active Merchants',
    'Inactive Merchants',
    'Routing #',
    'Bank Account #',
    'Account Type',
    'Business/Personal',
    'Office Account',
    'Business Name',
    'Tax Id',
    'Tax Type',
  ],
  equipment: [
    'Model',
    'SN',
    'LK/DID',
    'Merchant ID',
    'Master Agent',
    'Equipment Owner',
    'Requested Date',
    'Completed Date',
  ],
  merchant: [
    'XMID',
    'DBA',
    'Business Type',
    'Product',
    'Status',
    'Sales Rep',
    'Master Agent',
    'Date Added',
    'Date Approved',
    'Date Submitted',
    'Date Closed',
    'Date Received',
    'Account Status',
    'TIN Status',
    'Notes',
  ],
  adjustment: [
    'Month',
    'Amount',
    'Master Agent',
    'Merchant ID',
    'State',
    'Reason',
    'Late MID',
    'Author',
    'Recorded',
    'Decided By',
    'Why Refused',
  ],
  processor: ['Name', 'Other Names', 'File Expected', 'Expected Since'],
  processorstatement: ['Processor', 'Month', 'Stated Net', 'Net in the File', 'File', 'Note'],
  user: ['ID', 'Username', 'Master Agent ID'],
  tc: ['ID', 'Text', 'Acceptance by User'],
}

/** The list of an entity with only this row in sight, as heads and cells. */
const drawn = async (name: string, search: string, id: number) => {
  const it = entities[name]!
  await openAs(portal, 'admin', `${it.path}?size=100${search && `&search=${search}`}`)
  const table = await screen.findByRole('table')
  await waitFor(() => expect(document.getElementById(`row-${id}`)).not.toBeNull(), { timeout: 8_000 })
  // The button of a row comes a moment after the row.
  if (name === 'tc') await screen.findByRole('button', { name: /^Acceptance by User/ }, { timeout: 8_000 })
  const cells = [...document.getElementById(`row-${id}`)!.closest('tr')!.children]
    .filter((cell) => !cell.matches('.table-check'))
    .map((cell) => cell.textContent)
  return {
    heads: within(table)
      .getAllByRole('columnheader')
      .map((head) => head.textContent),
    cells,
  }
}

describe('the columns of each list, in order and with their formats', () => {
  const agent = { name: 'Zeta', parentid: 7 }
  const full = {
    ...agent,
    percentagecommissionreceived: 12.5,
    amountcommissionreceived: 1234.5,
    percentageequipmentcommissionreceived: 0,
    amountequipmentcommissionreceived: 0,
    routingnumber: '021000021',
    bankaccountnumber: '0012345678',
    isbankaccounttypechecking: false,
    isbankaccounttypebusiness: false,
    isofficeaccount: true,
    businessname: 'Zeta LLC',
    taxid: '12-3456789',
    taxtypeid: 2,
  }
  test.each<[string, object, string[]]>([
    [
      'everything',
      full,
      [
        '12.5%',
        '$1,234.50',
        '0%',
        '$0.00',
        '0',
        '0',
        '021000021',
        '*****5678',
        'Savings',
        'Personal',
        'Office',
        'Zeta LLC',
        '*****6789',
        'EIN',
      ],
    ],
    ['next to nothing', agent, ['', '', '', '', '0', '0', '', '', 'Checking', 'Business', '', '', '', '']],
    [
      'a person',
      { ...agent, taxtypeid: 1 },
      ['', '', '', '', '0', '0', '', '', 'Checking', 'Business', '', '', '', 'SSN'],
    ],
  ])('a master agent with %s', async (_, body, cells) => {
    const { id } = await make('masteragent', body)
    const seen = await drawn('masteragent', 'Zeta', id)
    expect(seen.heads).toEqual(heads['masteragent'])
    expect(seen.cells).toEqual(['Zeta', expect.stringMatching(/^MA0007 - .+/), ...cells])
  })

  test('a master agent counts its merchants by their account status; the top level has no parent', async () => {
    const seen = await drawn('masteragent', '', 7)
    expect(seen.cells.slice(6, 8)).toEqual(['2', '1'])
    expect((await drawn('masteragent', '', 1)).cells[1]).toBe('')
  })

  test.each([
    [
      {
        merchantid: 'one',
        masteragentid: 7,
        equipmentownertypeid: 1,
        licensingkey: 'LK1',
        requestedpaperworkdate: second,
        completedpaperworkdate: last,
      },
      ['LK1', 'merchant', 'agent', 'PPS', '1/2/2026', '12/31/2025'],
    ],
    [
      { equipmentownertypeid: 2, requestedpaperworkdate: 0, completedpaperworkdate: 0 },
      ['', '', '', 'Master Agent', '', ''],
    ],
    [{ equipmentownertypeid: 3 }, ['', '', '', 'Merchant', '', '']],
    [{ equipmentownertypeid: null, completedpaperworkdate: null }, ['', '', '', '', '', '']],
  ])('a terminal with %j', async (more, cells) => {
    const [shop] = await portal.db.query<{ id: number; xmid: string; dba: string }>(
      'select * from merchant order by id limit 1',
    )
    const [agent] = await portal.db.query<{ name: string }>('select name from master_agent where id = 7')
    const { merchantid } = more as { merchantid?: string }
    const { id } = await make('equipment', {
      model: 'T-1',
      serialnumber: `SN${JSON.stringify(more).length}`,
      ...more,
      ...(merchantid && { merchantid: shop!.id }),
    })
    const seen = await drawn('equipment', '', id)
    expect(seen.heads).toEqual(heads['equipment'])
    const names: Record<string, string> = {
      merchant: `${shop!.xmid} - ${shop!.dba}`,
      agent: `MA0007 - ${agent!.name}`,
    }
    // Fields that were not sent are empty.
    const wanted = heads['equipment']!.slice(2).map((_, at) => names[cells[at] ?? ''] ?? cells[at] ?? '')
    expect(seen.cells.slice(2)).toEqual(wanted)
  })

  test.each([
    [1, 'Unknown'],
    [2, 'Active'],
    [3, 'Inactive'],
  ])('a merchant with account status %i', async (accountstatus, word) => {
    const { id } = await make('merchant', {
      xmid: `900${accountstatus}`,
      dba: 'Shop',
      masteragentid: 7,
      accountstatus,
      businesstype: 'Retail',
      product: 'POS',
      status: 'Live',
      sales_rep: 'Sue',
      date_added: second,
      date_approved: last,
      date_submitted: 0,
      date_closed: accountstatus === 3 ? last : null,
      date_received: second,
      tinstatus: 'Match',
      notes: 'Hello',
    })
    const seen = await drawn('merchant', '', id)
    expect(seen.heads).toEqual(heads['merchant'])
    expect(seen.cells).toEqual([
      `900${accountstatus}`,
      'Shop',
      'Retail',
      'POS',
      'Live',
      'Sue',
      expect.stringMatching(/^MA0007 - /),
      '1/2/2026',
      '12/31/2025',
      '',
      accountstatus === 3 ? '12/31/2025' : '',
      '1/2/2026',
      word,
      'Match',
      'Hello',
    ])
  })

  test('a user', async () => {
    const { id } = await make('user', {
      username: 'bob',
      password: 'correct horse battery',
      confirm_password: 'correct horse battery',
      masteragentid: 7,
    })
    expect(await drawn('user', '', id)).toEqual({
      heads: heads['user'],
      cells: [String(id), 'bob', expect.stringMatching(/^7 - ./)],
    })
  })

  test('a version of the terms', async () => {
    const seen = await drawn('tc', '', 1)
    expect(seen).toEqual({
      heads: heads['tc'],
      cells: ['1', expect.stringMatching(/^Technology Portal: Terms/), 'Acceptance by User'],
    })
  })

  test.each([
    ['of a master agent', { masteragentid: 7 }, 'agent', ''],
    ['of a merchant', { merchantid: 1 }, '', 'merchant'],
  ])('an adjustment %s', async (_, whose, agent, merchant) => {
    const [shop] = await portal.db.query<{ id: number; xmid: string; dba: string }>(
      'select * from merchant order by id limit 1',
    )
    const [owner] = await portal.db.query<{ name: string }>('select name from master_agent where id = 7')
    const { id } = await make('adjustment', {
      month: '2090-01',
      amount: -12.5,
      reason: 'Late',
      ...whose,
      ...('merchantid' in whose && { merchantid: shop!.id }),
    })
    expect(await drawn('adjustment', '', id)).toEqual({
      heads: heads['adjustment'],
      cells: [
        'January 2090',
        '-$12.50',
        agent && `MA0007 - ${owner!.name}`,
        merchant && `${shop!.xmid} - ${shop!.dba}`,
        'Accepted',
        'Late',
        '',
        'admin',
        expect.stringMatching(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M$/),
        '',
        '',
      ],
    })
  })

  test.each([
    ['with its name alone', {}, ['', 'By its merchants', '']],
    [
      'with other names and a month',
      { othernames: 'Acme Pay\nACME Inc', expected: 2, since: '2090-01' },
      ['Acme Pay\nACME Inc', 'Every month', 'January 2090'],
    ],
  ])('a processor %s', async (which, more, cells) => {
    const { id } = await make('processor', { name: `Acme ${which.length}`, ...more })
    const seen = await drawn('processor', `Acme ${which.length}`, id)
    expect(seen.heads).toEqual(heads['processor'])
    expect(seen.cells).toEqual([`Acme ${which.length}`, ...cells])
  })

  test.each([
    ['with its net', { statednet: 1234.5 }, ['$1,234.50', '', '', '']],
    ['without a file', { nofile: true, note: 'Closed' }, ['', '', 'No file this month', 'Closed']],
  ])('a processor statement %s', async (_, more, cells) => {
    const { id } = await make('processorstatement', {
      processor: cells[2] || 'Acme',
      month: '2090-01',
      ...more,
    })
    const seen = await drawn('processorstatement', '', id)
    expect(seen.heads).toEqual(heads['processorstatement'])
    expect(seen.cells).toEqual([cells[2] || 'Acme', 'January 2090', ...cells])
  })
})
