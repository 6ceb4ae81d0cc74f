import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Finding } from '../../../schemas/api/months/months.ts'
import { importFile } from '../../../server/imports/importFile.ts'
import { waive } from '../../money/book.ts'
import type { SignedIn } from '../../testPortal.ts'
import { epoch, ledger, publish, type Ledger } from '../reports/ledger.ts'

let portal: Ledger
let folder: string
const people: Record<string, SignedIn> = {}
const month = '2026-09'
/** Its net of September is 100.00; East, its agent, earns 50 %, North above 10 %. */
const bakery = '0012345678901'
/** Its net is 33.33; North, its agent, earns 60 %. */
const diner = '401234567890'

const sql = (text: string, values: unknown[] = []) => portal.db.query(text, values)
const idOf = async (table: 'merchant' | 'equipment', value: string) => {
  const column = table === 'merchant' ? 'xmid' : 'serialnumber'
  const [row] = await sql(`select id from ${table} where ${column} = $1`, [value])
  return Number(row!['id'])
}
const put = async (who: string, path: string, change: object) => {
  const { version } = (await people[who]!.call('GET', path)).body
  const { status, body } = await people[who]!.call('PUT', path, { version, ...change })
  expect(status, JSON.stringify(body)).toBe(200)
}
const putMerchant = async (who: string, xmid: string, change: object) =>
  put(who, `/api/v1/merchant/${await idOf('merchant', xmid)}`, change)
const putAgent = (who: string, id: number, change: object) => put(who, `/api/v1/masteragent/${id}`, change)
const putTerminal = async (who: string, serial: string, change: object) =>
  put(who, `/api/v1/equipment/${await idOf('equipment', serial)}`, change)
const create = async (who: string, path: string, body: object) => {
  const { status, body: made } = await people[who]!.call('POST', path, body)
  expect(status, JSON.stringify(made)).toBe(201)
}
/** Imports merchants in the name of a user who sees these agents alone; answers the batch. */
const importMerchants = async (username: string, scope: number[] | null, ...rows: string[][]) => {
  const text = [['XMID', 'DBA', 'Master Agent', 'Account Status', 'Date Closed'], ...rows]
    .map((row) => row.join(','))
    .join('\n')
  const path = join(folder, 'merchants.csv')
  const [user] = await sql('select id from portal_user where username = $1', [username])
  await writeFile(path, text)
  const { batch } = await importFile({
    db: portal.db,
    kind: 'merchant',
    path,
    filename: 'merchants.csv',
    size: text.length,
    sha256: createHash('sha256').update(text).digest('hex'),
    date: null,
    sender: { username, userid: Number(user!['id']), scope },
    dryrun: false,
    again: true,
    config: portal.config,
    signal: new AbortController().signal,
  })
  return batch!
}
const findings = async (): Promise<Finding[]> => {
  const { status, body } = await portal.admin.call('GET', `/api/v1/month/${month}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.findings
}
const found = async () => (await findings()).filter(({ kind }) => kind === 'selfdealing')
const sums = async () => (await found()).map(({ where, amount }) => [where, amount])

const rights = [
  'manage_merchants',
  'edit_maid_salesrep',
  'manage_equipment',
  'manage_master_agents',
  'edit_commission',
  'import_files',
  'lock_reports',
  'reports_admin',
]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfdealing-'))
  portal = await ledger()
  await sql('update portal_user set permissions = $1 where not admin', [rights])
  await sql(
    `insert into portal_user (username, password_hash, permissions, masteragentid)
      select n.name, password_hash, permissions, n.agent
      from portal_user, (values ('east two', 3), ('west', 4), ('leaver', 3)) n (name, agent) where username = 'east'`,
  )
  await sql(
    `insert into portal_user (username, password_hash, admin, masteragentid)
      select 'boss', password_hash, true, 3 from portal_user where username = 'east'`,
  )
  expect((await publish(portal.admin, '2026-08')).status).toBe(200)
  for (const name of ['north', 'east', 'east two', 'west', 'office', 'boss'])
    people[name] = await portal.as(name)
  people['admin'] = portal.admin
}, 60_000)
afterAll(async () => {
  await portal.close()
  await rm(folder, { recursive: true })
})

/** Nobody has changed anything since the lock of August, and every record is as it was. */
const stored: Record<string, string> = {}
beforeAll(async () => {
  for (const table of ['merchant', 'equipment'])
    stored[table] = JSON.stringify(await sql(`select * from ${table}`))
})
beforeEach(async () => {
  await portal.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query('delete from audit')
    await tx.query('delete from month_waiver')
    await tx.query('delete from import_change')
    await tx.query('delete from import_added')
    await tx.query(`delete from adjustment where author = 'clerk'`)
    await tx.query('delete from equipment')
    await tx.query('delete from merchant')
    for (const [table, rows] of Object.entries(stored)) {
      // What is generated takes no value.
      const [{ names } = { names: '' }] = await tx.query<{ names: string }>(
        `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
          where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [table],
      )
      await tx.query(
        `insert into ${table} (${names}) overriding system value
          select ${names} from jsonb_populate_recordset(null::${table}, $1)`,
        [rows],
      )
    }
  })
})
/** Changes what the portal never changes. */
const asReplica = (...statements: string[]) =>
  portal.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    for (const statement of statements) await tx.query(statement)
  })
const asIfBeforeTheLock = () => asReplica('update audit set at = (select locked_at from month_lock)')
/** Adjusts September by dollars of the bakery. */
const adjust = (amount: number, state: string) =>
  sql(
    `insert into adjustment (merchantid, month, amount, reason, author, state)
      select id, $2, $3, 'Fee', 'clerk', $4 from merchant where xmid = $1`,
    [bakery, `${month}-01`, amount, state],
  )
const paidInMonth = (serial: string) =>
  sql('update equipment set paidmonth = $2 where serialnumber = $1', [serial, `${month}-01`])

describe('what a person of a branch changes since the last lock', () => {
  const changes: [what: string, change: () => Promise<unknown>, where: string, sum: number][] = [
    [
      'a merchant moved to the own agent',
      () => putMerchant('north', bakery, { masteragentid: 2 }),
      `${bakery} Alder Bakery: Master Agent, by north of MA0002 North`,
      // 60 % of 100 instead of the 10 % above East.
      50,
    ],
    [
      'a merchant moved to the own agent by a file',
      () => importMerchants('north', [2, 3], [bakery, 'Alder Bakery', '2', 'Active', '']),
      `${bakery} Alder Bakery: Master Agent, by north of MA0002 North`,
      50,
    ],
    [
      'a merchant moved back to the own agent by the undo of a file of before the last lock',
      async () => {
        await sql('update merchant set masteragentid = 2 where xmid = $1', [bakery])
        const batch = await importMerchants('north', [2, 3], [bakery, 'Alder Bakery', '3', 'Active', ''])
        await sql(`update import_batch set imported_at = (select locked_at - interval '1 day' from month_lock)
          where id = ${batch}`)
        const { status } = await people['north']!.call('POST', `/api/v1/file/merchant/${batch}/undo`)
        expect(status).toBe(200)
      },
      `${bakery} Alder Bakery: Master Agent, by north of MA0002 North`,
      50,
    ],
    [
      'a merchant set to active by a file',
      async () => {
        await sql('update merchant set accountstatus = 3, date_closed = $2 where xmid = $1', [
          bakery,
          epoch('2026-08-31'),
        ])
        await importMerchants('east', [3], [bakery, 'Alder Bakery', '3', 'Active', ''])
      },
      `${bakery} Alder Bakery: Account Status, by east of MA0003 East`,
      60,
    ],
    [
      'a day of closing put into the month',
      async () => {
        await sql('update merchant set accountstatus = 3, date_closed = $2 where xmid = $1', [
          bakery,
          epoch('2026-08-31'),
        ])
        await putMerchant('east', bakery, { date_closed: epoch('2026-09-01') })
      },
      `${bakery} Alder Bakery: Date Closed, by east of MA0003 East`,
      60,
    ],
    [
      'a merchant created for a MID whose income was the house’s',
      () =>
        create('east', '/api/v1/merchant', {
          xmid: 'X-900',
          dba: 'Harbor Inn',
          masteragentid: 3,
          accountstatus: 2,
        }),
      // 50 % and 10 % of 7.77, each rounded.
      'X-900 Harbor Inn: Created, by east of MA0003 East',
      4.67,
    ],
    [
      'a merchant created by a file',
      () => importMerchants('east', [3], ['X-900', 'Harbor Inn', '3', 'Active', '']),
      'X-900 Harbor Inn: Created, by east of MA0003 East',
      4.67,
    ],
    [
      'a merchant that takes its terminal along',
      async () => {
        await sql(`update equipment set masteragentid = null, merchantid = $1 where serialnumber = 'SN-1'`, [
          await idOf('merchant', bakery),
        ])
        await putMerchant('north', bakery, { masteragentid: 2 })
      },
      `${bakery} Alder Bakery: Master Agent, by north of MA0002 North`,
      // 50.00 more of the merchant, and 70 % of 60 instead of the 20 % above East.
      80,
    ],
    [
      'a merchant that takes its accepted adjustments along',
      async () => {
        await adjust(25, 'accepted')
        await adjust(1000, 'proposed')
        await putMerchant('north', bakery, { masteragentid: 2 })
      },
      `${bakery} Alder Bakery: Master Agent, by north of MA0002 North`,
      // 50.00 more of the merchant, and what East was to get back.
      75,
    ],
    [
      'a terminal assigned to the own agent',
      () => putTerminal('north', 'SN-1', { masteragentid: 2 }),
      // 70 % of 60 instead of the 20 % above East.
      'T1 SN-1: Master Agent, by north of MA0002 North',
      30,
    ],
    [
      'a lower cost of a terminal',
      () => putTerminal('east', 'SN-1', { cost: 50 }),
      // 50 % and 20 % of 50 more.
      'T1 SN-1: Cost, by east of MA0003 East',
      35,
    ],
    [
      'a higher price of a terminal',
      async () => {
        await putTerminal('east', 'SN-1', { soldfor: 170, paidsofar: 170 })
        await paidInMonth('SN-1')
      },
      'T1 SN-1: Paid So Far, Sold For, by east of MA0003 East',
      7,
    ],
    [
      'a terminal that becomes paid',
      async () => {
        await sql(`update equipment set paidsofar = 159.99 where serialnumber = 'SN-1'`)
        await putTerminal('east', 'SN-1', { paidsofar: 160 })
        await paidInMonth('SN-1')
      },
      'T1 SN-1: Paid So Far, by east of MA0003 East',
      42,
    ],
    [
      'a terminal put to a merchant of the own agent',
      async () => {
        await sql(`update equipment set masteragentid = null, merchantid = $1 where serialnumber = 'SN-1'`, [
          await idOf('merchant', bakery),
        ])
        await putTerminal('north', 'SN-1', { merchantid: await idOf('merchant', diner) })
      },
      'T1 SN-1: Merchant, by north of MA0002 North',
      30,
    ],
    [
      'a terminal created as paid',
      async () => {
        await create('east', '/api/v1/equipment', {
          model: 'T9',
          serialnumber: 'SN-9',
          masteragentid: 3,
          cost: 0,
          soldfor: 10,
          paidsofar: 10,
        })
        await paidInMonth('SN-9')
      },
      'T9 SN-9: Created, by east of MA0003 East',
      7,
    ],
  ]
  test.each(changes)('is a warning with author and sum: %s', async (_, change, where, sum) => {
    await change()
    const all = await found()
    expect(all.map((it) => [it.where, it.amount])).toEqual([[where, sum]])
    const [only] = all
    const table = where.startsWith('T') ? 'equipment' : 'merchant'
    const [, named] = /^(?:T\d )?([^ :]+)/.exec(where)!
    const id = await idOf(table, named!)
    expect(only).toMatchObject({
      key: `selfdealing:${table} ${id} ${/by (\w+) of/.exec(where)![1]}`,
      severity: 'warning',
      what: 'A change raises the pay of its own author',
      link: `/manage/${table === 'merchant' ? 'merchants' : 'equipment'}?open=${id}`,
      waiver: null,
    })
  })

  const deleteTerminal = async (who: string, serial: string) => {
    const path = `/api/v1/equipment/${await idOf('equipment', serial)}`
    expect((await people[who]!.call('DELETE', path)).status).toBe(204)
  }
  const sold = (change: string) => sql(`update equipment set ${change} where serialnumber = 'SN-1'`)
  test.each<[what: string, cost: number, own: string | null, sum: number]>([
    // 50 % and 20 % of the 340 that the terminal takes.
    ['of the own agent', 500, null, 238],
    ['of a merchant of the own agent', 500, bakery, 238],
    ['sold a cent below its cost', 160.01, null, 0.01],
  ])('is a warning when a terminal sold below its cost is deleted: %s', async (_, cost, xmid, sum) => {
    const id = await idOf('equipment', 'SN-1')
    await sold(`cost = ${cost}`)
    if (xmid) await sold(`masteragentid = null, merchantid = ${await idOf('merchant', xmid)}`)
    await deleteTerminal('east', 'SN-1')
    expect(await found()).toMatchObject([
      {
        key: `selfdealing:equipment ${id} east`,
        where: 'T1 SN-1: Deleted, by east of MA0003 East',
        amount: sum,
        link: '/manage/equipment?search=SN-1',
      },
    ])
  })

  test('is no warning when a deleted terminal was put back', async () => {
    await sold('cost = 500')
    const columns = 'id, model, serialnumber, masteragentid, cost, soldfor, paidsofar, paidmonth'
    const [row] = await sql(`select to_jsonb(e) as kept from equipment e where serialnumber = 'SN-1'`)
    await deleteTerminal('east', 'SN-1')
    await sql(
      `insert into equipment (${columns}) overriding system value
        select ${columns} from jsonb_populate_record(null::equipment, $1)`,
      [row!['kept']],
    )
    await paidInMonth('SN-1')
    expect(await found()).toEqual([])
  })

  test.each<[what: string, change: () => Promise<unknown>]>([
    ['at its cost', () => sold('cost = 160')],
    ['above its cost', () => sold('cost = 100')],
    ['that is not paid', () => sold('cost = 500, paidsofar = 159.99')],
    ['that is paid in another month', () => sold('cost = 500').then(() => sold(`paidmonth = '2026-10-01'`))],
    ['whose cost the same person had raised', () => putTerminal('east', 'SN-1', { cost: 500 })],
  ])('is no warning when a terminal is deleted that was sold %s', async (_, change) => {
    await change()
    await deleteTerminal('east', 'SN-1')
    expect(await found()).toEqual([])
  })

  /** Of agents below their own one; the shares of North are those above East (50 %) and South (30 %). */
  const below: [what: string, change: () => Promise<unknown>, where: string, sum: number][] = [
    [
      'a lower percentage',
      () => putAgent('north', 3, { percentagecommissionreceived: 40, ratesfrom: month }),
      'MA0003 East: Percentage Commission Received, by north of MA0002 North',
      // 20 % of 100 and of -20.05 instead of 10 %: 20 - 4.01 less 10 - 2.01.
      8,
    ],
    [
      'a lower percentage from this month on, of before the last lock',
      async () => {
        await putAgent('north', 3, { percentagecommissionreceived: 40, ratesfrom: month })
        await sql('update agent_rate set changed_at = (select locked_at from month_lock)')
        await asIfBeforeTheLock()
      },
      'MA0003 East: Percentage Commission Received, by north of MA0002 North',
      8,
    ],
    [
      'a lower percentage of terminals',
      () => putAgent('north', 3, { percentageequipmentcommissionreceived: 45, ratesfrom: month }),
      'MA0003 East: Percentage Equipment Commission Received, by north of MA0002 North',
      // 25 % of 60 instead of 20 %.
      3,
    ],
    [
      'another parent',
      async () => {
        await sql('update master_agent set parentid = 3 where id = 5')
        await putAgent('north', 5, { parentid: 2 })
      },
      'MA0005 South: Parent, by north of MA0002 North',
      // 30 % of 200 instead of the 10 % above East.
      40,
    ],
  ]
  const belowSilent: [what: string, change: () => Promise<unknown>][] = [
    [
      'a higher percentage',
      () => putAgent('north', 3, { percentagecommissionreceived: 55, ratesfrom: month }),
    ],
    [
      'a lower percentage of a later month',
      () => putAgent('north', 3, { percentagecommissionreceived: 40, ratesfrom: '2026-10' }),
    ],
    [
      'a percentage that is put back',
      async () => {
        await putAgent('north', 3, { percentagecommissionreceived: 40, ratesfrom: month })
        await putAgent('north', 3, { percentagecommissionreceived: 50, ratesfrom: month })
      },
    ],
    ['pay on inactive', () => putAgent('north', 3, { payoninactive: true })],
    ['a name', () => putAgent('north', 3, { name: 'Far East' })],
    [
      'a percentage of before the last lock and from its month on',
      async () => {
        await putAgent('north', 3, { percentagecommissionreceived: 40, ratesfrom: month })
        await sql('update agent_rate set changed_at = (select locked_at from month_lock)')
        await sql(
          `update agent_rate set from_month = '2026-08-01' where masteragentid = 3 and from_month = $1`,
          [`${month}-01`],
        )
      },
    ],
    [
      'a lower percentage by who sees all agents',
      () => putAgent('office', 3, { percentagecommissionreceived: 40, ratesfrom: month }),
    ],
  ]
  describe('at an agent below', () => {
    let rows: string
    let rates: string
    beforeAll(async () => {
      rows = JSON.stringify(await sql('select * from master_agent'))
      rates = JSON.stringify(await sql('select * from agent_rate'))
    })
    afterEach(async () => {
      await sql('delete from agent_rate')
      await sql('insert into agent_rate select * from jsonb_populate_recordset(null::agent_rate, $1)', [
        rates,
      ])
      await sql(
        `update master_agent a set name = r.name, parentid = r.parentid, payoninactive = r.payoninactive,
            percentagecommissionreceived = r.percentagecommissionreceived,
            percentageequipmentcommissionreceived = r.percentageequipmentcommissionreceived
          from jsonb_populate_recordset(null::master_agent, $1) r where r.id = a.id`,
        [rows],
      )
    })

    test.each(below)('is a warning with author and sum: %s', async (_, change, where, sum) => {
      await change()
      const all = await found()
      expect(all.map((it) => [it.where, it.amount])).toEqual([[where, sum]])
      const id = Number(/^MA0*(\d+)/.exec(where)![1])
      expect(all[0]).toMatchObject({
        key: `selfdealing:masteragent ${id} north`,
        link: `/manage/agents?open=${id}`,
      })
      const waived = await people['north']!.call('POST', `/api/v1/month/${month}/waive`, {
        kind: 'selfdealing',
        reason: 'Agreed with the agent',
      })
      expect(waived.status).toBe(403)
    })

    test.each(belowSilent)('is no warning: %s', async (_, change) => {
      await change()
      expect(await found()).toEqual([])
    })
  })

  const silent: [what: string, change: () => Promise<unknown>][] = [
    ['lowers the own pay', () => putMerchant('north', diner, { masteragentid: 3 })],
    [
      'is changed back',
      async () => {
        await putMerchant('north', bakery, { masteragentid: 2 })
        await putMerchant('north', bakery, { masteragentid: 3 })
      },
    ],
    [
      'is of a merchant without income in the month',
      () => putMerchant('north', '401234567897777', { masteragentid: 2, notes: 'x' }),
    ],
    [
      'puts a day of closing not quite into the month',
      async () => {
        await sql('update merchant set accountstatus = 3, date_closed = $2 where xmid = $1', [
          bakery,
          epoch('2026-08-30'),
        ])
        await putMerchant('east', bakery, { date_closed: epoch('2026-09-01') - 86_400 })
      },
    ],
    ['changes nothing that is paid', () => putMerchant('north', bakery, { notes: 'called' })],
    ['is by who sees all agents', () => putMerchant('office', bakery, { masteragentid: 2 })],
    ['is by an administrator', () => putTerminal('boss', 'SN-1', { cost: 50 })],
    [
      'is by a file of who sees all agents',
      () => importMerchants('office', null, [bakery, 'Alder Bakery', '2', 'Active', '']),
    ],
    [
      'was undone with its file',
      async () => {
        const id = await importMerchants('north', [2, 3], [bakery, 'Alder Bakery', '2', 'Active', ''])
        const answer = await people['north']!.call('POST', `/api/v1/file/merchant/${id}/undo`)
        expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      },
    ],
    [
      'is of a terminal that is paid in another month',
      async () => {
        await sql(`update equipment set paidmonth = '2026-10-01' where serialnumber = 'SN-1'`)
        await putTerminal('east', 'SN-1', { cost: 50 })
      },
    ],
    [
      'was made before the last lock',
      async () => {
        await putMerchant('north', bakery, { masteragentid: 2 })
        await asIfBeforeTheLock()
      },
    ],
    [
      'was created before the last lock',
      async () => {
        await create('east', '/api/v1/merchant', {
          xmid: 'X-900',
          dba: 'Harbor Inn',
          masteragentid: 3,
          accountstatus: 2,
        })
        await asIfBeforeTheLock()
      },
    ],
    [
      'came by files of before the last lock',
      async () => {
        await importMerchants('north', [2, 3], [bakery, 'Alder Bakery', '2', 'Active', ''])
        await importMerchants('east', [3], ['X-900', 'Harbor Inn', '3', 'Active', ''])
        await sql(`update import_batch set imported_at = (select locked_at from month_lock)
          where kind = 'merchant'`)
      },
    ],
  ]
  test.each(silent)('is none when it %s', async (_, change) => {
    await change()
    expect(await sums()).toEqual([])
  })

  test('is a warning, too, when the month before was opened and locked again since', async () => {
    await putMerchant('north', bakery, { masteragentid: 2 })
    await putMerchant('admin', diner, { masteragentid: 3 })
    await asReplica(
      `update month_lock set reopened_at = locked_at, reopened_by = 'admin', reason = 'A late file'`,
      `insert into month_lock (month, version, hash, username, terms)
        select month, 2, hash, username, terms from month_lock`,
    )
    try {
      const kinds = (await findings()).map(({ kind }) => kind)
      expect(kinds.filter((it) => it === 'assignment-changed' || it === 'selfdealing')).toEqual([
        'selfdealing',
        'assignment-changed',
        'assignment-changed',
      ])
    } finally {
      await asReplica(
        'delete from month_lock where version = 2',
        'update month_lock set reopened_at = null, reopened_by = null, reason = null',
      )
    }
  })

  test('is compared with what stood before the first of several changes of its author', async () => {
    for (const cost of [120, 90, 50]) await putTerminal('east', 'SN-1', { cost })
    await putMerchant('north', bakery, { masteragentid: 2 })
    await putMerchant('north', bakery, { sales_rep: 'Kim' })
    expect((await sums()).map(([, sum]) => sum)).toEqual([50, 35])
  })

  test('counts for each of its authors what they changed', async () => {
    await putTerminal('east', 'SN-1', { cost: 50 })
    await putTerminal('north', 'SN-1', { soldfor: 160.1, paidsofar: 160.1 })
    await paidInMonth('SN-1')
    expect(await sums()).toEqual([
      ['T1 SN-1: Cost, by east of MA0003 East', 35],
      ['T1 SN-1: Paid So Far, Sold For, by north of MA0002 North', 0.02],
    ])
  })

  test.each([
    ['perTransaction', 10],
    ['perActiveMerchant', 1],
    ['perAgentMonth', 0],
    [null, 1],
  ])('counts the flat amount with %s: %i times', async (basis, times) => {
    await sql(`delete from setting where name = 'money.amountBasis'`)
    if (basis !== null) await sql(`insert into setting values ('money.amountBasis', $1)`, [basis])
    await sql('update master_agent set amountcommissionreceived = 2 where id = 2')
    try {
      await putMerchant('north', bakery, { masteragentid: 2 })
      expect((await sums()).map(([, sum]) => sum)).toEqual([50 + 2 * times])
    } finally {
      await sql(`delete from setting where name = 'money.amountBasis'`)
      await sql('update master_agent set amountcommissionreceived = null where id = 2')
    }
  })

  test.each([
    ['is the only one that counts', true, 2],
    ['is one of several', false, 0],
  ])('counts the flat amount of an agent and month when the merchant %s', async (_, isOnly, flat) => {
    await sql(`insert into setting values ('money.amountBasis', 'perAgentMonth')
      on conflict (name) do update set value = excluded.value`)
    await sql('update master_agent set amountcommissionreceived = 2 where id = 3')
    // East has another merchant, which processed nothing.
    if (isOnly) await sql('update merchant set masteragentid = 5 where xmid = $1', [bakery])
    try {
      const inn = { xmid: 'X-900', dba: 'Harbor Inn', masteragentid: 3, accountstatus: 2 }
      await create('east', '/api/v1/merchant', inn)
      expect((await sums()).map(([, sum]) => sum)).toEqual([4.67 + flat])
    } finally {
      await sql(`delete from setting where name = 'money.amountBasis'`)
      await sql('update master_agent set amountcommissionreceived = null where id = 3')
    }
  })

  test.each([
    ['floor', []],
    ['pass', [10.02]],
    [null, [10.02]],
  ])('counts a loss as NET_NEGATIVE=%s does', async (netNegative, sum) => {
    await sql(`delete from setting where name = 'money.netNegative'`)
    if (netNegative !== null) await sql(`insert into setting values ('money.netNegative', $1)`, [netNegative])
    // North bears 60 % of a loss of 20.05, and 10 % once it is East's.
    await putMerchant('office', '4012345678902345', { masteragentid: 2 })
    await putMerchant('north', '4012345678902345', { masteragentid: 3 })
    try {
      expect((await sums()).map(([, it]) => it)).toEqual(sum)
    } finally {
      await sql(`delete from setting where name = 'money.netNegative'`)
    }
  })
})

describe('an assignment changed by a file of merchants', () => {
  const notes = async () =>
    (await findings()).filter(({ kind }) => kind === 'assignment-changed').map(({ where }) => where)
  const move = (to: string) => importMerchants('office', null, [bakery, 'Alder Bakery', to, 'Active', ''])

  test('is listed as one of a form is, with who imported it', async () => {
    await move('4')
    expect(await notes()).toEqual([
      `${bakery} Alder Bakery, Master Agent from MA0003 East to MA0004 Wést & Co, by office`,
    ])
  })

  test('is listed once with that of a form, from what stood first, by the person who changed it last', async () => {
    await putMerchant('admin', bakery, { masteragentid: 5 })
    await move('4')
    expect(await notes()).toEqual([
      `${bakery} Alder Bakery, Master Agent from MA0003 East to MA0004 Wést & Co, by office`,
    ])
    await putMerchant('admin', bakery, { masteragentid: 2 })
    expect(await notes()).toEqual([
      `${bakery} Alder Bakery, Master Agent from MA0003 East to MA0002 North, by admin`,
    ])
    await move('3')
    expect(await notes()).toEqual([])
  })

  test('is not reported for a value as stored, nor for a new merchant', async () => {
    await importMerchants(
      'office',
      null,
      [bakery, 'Other', '3', 'Active', ''],
      ['X-900', 'Harbor Inn', '4', 'Active', ''],
    )
    expect(await notes()).toEqual([])
  })
})

describe('the warning', () => {
  const waiving = (who: string, body: object = {}) =>
    people[who]!.call('POST', `/api/v1/month/${month}/waive`, { kind: 'selfdealing', reason: waive, ...body })
  const refusal = 'east raised the pay of the own branch: a person outside that branch must waive it'
  const raise = () => putTerminal('east', 'SN-1', { cost: 50 })

  test.each([
    ['its author', 'east'],
    ['another user of the same agent', 'east two'],
    ['an administrator of the same agent', 'boss'],
    ['a person of the agent above', 'north'],
  ])('is not waived by %s', async (_, who) => {
    await raise()
    const { key } = (await found())[0]!
    for (const body of [{}, { key }]) {
      const { status, body: said } = await waiving(who, body)
      expect([status, said.error]).toEqual([403, refusal])
    }
    expect((await found()).map(({ waiver }) => waiver)).toEqual([null])
  })

  test.each([
    ['the office', 'office'],
    ['an administrator without an agent', 'admin'],
    ['a person of another branch who sees all', 'west'],
  ])('is waived by %s', async (_, who) => {
    await raise()
    expect((await waiving(who)).status).toBe(200)
    expect((await found()).map(({ waiver }) => waiver?.username)).toEqual([who])
  })

  test('by somebody below the author is not waived either', async () => {
    await putMerchant('north', bakery, { masteragentid: 2 })
    const { status, body } = await waiving('east two')
    expect([status, body.error]).toEqual([
      403,
      'north raised the pay of the own branch: a person outside that branch must waive it',
    ])
  })

  test('stays when its author is deleted, and is not waived by the branch of the author', async () => {
    people['leaver'] = await portal.as('leaver')
    await putTerminal('leaver', 'SN-1', { cost: 50 })
    const before = await sums()
    const [user] = await sql(`select id from portal_user where username = 'leaver'`)
    expect((await portal.admin.call('DELETE', `/api/v1/user/${Number(user!['id'])}`)).status).toBe(204)
    expect(await sums()).toEqual(before)
    expect(before).toEqual([[expect.stringContaining('by leaver of MA0003 East'), 35]])
    const refused = await waiving('east two')
    expect([refused.status, refused.body.error]).toEqual([403, refusal.replace('east', 'leaver')])
    expect((await waiving('office')).status).toBe(200)
  })

  test('stays that of its author when another person has the name since', async () => {
    await sql(
      `insert into portal_user (username, password_hash, permissions, masteragentid)
        select 'mover', password_hash, permissions, 3 from portal_user where username = 'east'`,
    )
    people['mover'] = await portal.as('mover')
    await putTerminal('mover', 'SN-1', { cost: 50 })
    expect((await waiving('office')).status).toBe(200)
    const [user] = await sql(`select id from portal_user where username = 'mover'`)
    expect((await portal.admin.call('DELETE', `/api/v1/user/${Number(user!['id'])}`)).status).toBe(204)
    await sql(
      `insert into portal_user (username, password_hash, permissions, masteragentid)
        select 'mover', password_hash, permissions, 4 from portal_user where username = 'east'`,
    )
    people['mover'] = await portal.as('mover')
    expect((await found()).map(({ waiver }) => waiver?.username)).toEqual(['office'])
    await putTerminal('office', 'SN-1', { cost: 49 })
    expect(await sums()).toEqual([[expect.stringContaining('by mover of MA0003 East'), 35.7]])
    expect((await waiving('east two')).body.error).toBe(refusal.replace('east', 'mover'))
    expect((await waiving('mover')).status).toBe(200)
    expect((await found()).map(({ waiver }) => waiver?.username)).toEqual(['mover'])
  })

  test('comes back when its sum changes', async () => {
    await raise()
    await waiving('office')
    await putTerminal('east', 'SN-1', { cost: 49 })
    expect((await found()).map(({ amount, waiver }) => [amount, waiver])).toEqual([[35.7, null]])
  })

  test('keeps the month from being locked, by a waiver in the same call too where it is of the branch', async () => {
    await raise()
    const others = (await findings()).filter(
      ({ kind, severity }) => severity === 'warning' && kind !== 'selfdealing',
    )
    for (const { kind, key } of others)
      await portal.admin.call('POST', `/api/v1/month/${month}/waive`, { kind, key, reason: waive })
    const lock = (who: string, body: object) => people[who]!.call('POST', `/api/v1/month/${month}/lock`, body)
    const open = await lock('office', {})
    expect([open.status, open.body.findings.map(({ kind }: Finding) => kind)]).toEqual([409, ['selfdealing']])
    const own = await lock('boss', { waive })
    expect([own.status, own.body.error]).toEqual([403, refusal])
    expect((await lock('office', { waive })).status).toBe(200)
    const kept = await found()
    expect(kept.map(({ amount, waiver }) => [amount, waiver?.username])).toEqual([[35, 'office']])
  })
})
