import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockMonth, reopenMonth } from '../../../server/money/lock.ts'
import { requireLock } from '../../../server/money/months.ts'
import { changesBy } from '../../../server/payouts/separation/changesBy.ts'
import { settle, waive, write, xmidOf, type Book } from '../../money/book.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

const march = '2026-03-01'
const stranger = xmidOf(7)
const agent = { flat: 0, eqpercent: 0, eqflat: 0 }
const line = { month: march, processor: 'Quartz', xmid: stranger, txns: 3, sales: 900 }
/** Of the rule's example (money 21): 3 (50 %, $2.00 a merchant) below 2 (60 %) below 1 (70 %); 4 (40 %, $1.00) beside them; 5 is the office; the only merchant of 6 (40 %, $1.00) processed nothing. */
const book: Book = {
  agents: [
    { ...agent, id: 1, parent: null, percent: 700_000 },
    { ...agent, id: 2, parent: 1, percent: 600_000 },
    { ...agent, id: 3, parent: 2, percent: 500_000, flat: 200 },
    { ...agent, id: 4, parent: null, percent: 400_000, flat: 100 },
    { ...agent, id: 5, parent: null, percent: 900_000, office: true },
    { ...agent, id: 6, parent: null, percent: 400_000, flat: 100 },
  ],
  shops: [
    { id: 1, agent: 4, status: 2 },
    { id: 2, agent: 6, status: 2 },
  ],
  lines: [
    { ...line, income: 10_500, expense: 500 },
    { ...line, processor: 'Model', income: 0, expense: 1_001 },
    { ...line, xmid: xmidOf(1), income: 1_000, expense: 0 },
    { ...line, xmid: xmidOf(2), txns: 0, sales: 0, income: 1_000, expense: 0 },
    { ...line, month: '2026-04-01', income: 2_000, expense: 0 },
    { ...line, month: '2026-05-01', xmid: xmidOf(1), income: 3_000, expense: 0 },
    { ...line, month: '2026-06-01', xmid: xmidOf(1), income: 3_000, expense: 0 },
  ],
  terminals: [],
  subscriptions: [],
  adjustments: [],
  rates: [],
  settings: { netNegative: 'pass', amountBasis: 'perActiveMerchant', minimum: 0 },
}

let portal: TestPortal
let admin: SignedIn
let clerk: SignedIn
/** Sees all as an administrator, and belongs to agent 2. */
let insider: SignedIn
beforeAll(async () => {
  portal = await openTestPortal({ demo: false, adminPassword: 'Long-Enough-77x' })
  await write(portal.db, book)
  await portal.db.query(`select setval(pg_get_serial_sequence('merchant', 'id'), 100)`)
  await portal.db.query(`insert into processor (name) values ('Quartz'), ('Model')`)
  await portal.db.query(
    `insert into portal_user (username, password_hash, admin, permissions, masteragentid)
      select name, password_hash, name = 'insider', array['lock_reports', 'manage_merchants', 'import_files'],
        case name when 'insider' then 2 else 5 end
      from portal_user, unnest(array['clerk', 'insider']) as name where username = 'admin'`,
  )
  await lockMonth(portal.db, { month: march, username: 'x', address: '', waive })
  admin = await portal.login('admin', 'Long-Enough-77x')
  clerk = await portal.login('clerk', 'Long-Enough-77x')
  insider = await portal.login('insider', 'Long-Enough-77x')
}, 60_000)
afterAll(() => portal.close())

type Row = Record<string, unknown> & { id: number; version: number }
const listed = async (search = stranger): Promise<Row[]> => {
  const { status, body } = await clerk.call('GET', `/api/v1/adjustment?search=${search}&size=100`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
const shown = (rows: Row[]) => rows.map((it) => [it.masteragentid, it.amount, it.latemid, it.state])
const add = async (agentid = 3, more: object = {}): Promise<Row> => {
  const body = { xmid: stranger, dba: 'Late Diner', masteragentid: agentid, accountstatus: 2, ...more }
  const answer = await clerk.call('POST', '/api/v1/merchant', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const change = async (row: Row, body: object): Promise<Row> => {
  const answer = await clerk.call('PUT', `/api/v1/merchant/${row.id}`, { version: row.version, ...body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
/** The last day before March 2026 and its first one, in epoch seconds. */
const [closedBefore, closedInMonth] = [1_772_236_800, 1_772_323_200]
const post = (who: SignedIn, path: string, body?: object) => who.call('POST', `/api/v1/${path}`, body)
const quartz = `${stranger}, Quartz, March 2026`
const model = `${stranger}, Model, March 2026`
/**
 * Shares of the example in dollars: $2.00 a merchant are paid at Model, which comes first; a loss is borne.
 * The amounts of 3 and those of 2 and 1.
 */
const rowsOf = (where: string, own: number, above: number, state = 'proposed') => [
  [1, above, where, state],
  [2, above, where, state],
  [3, own, where, state],
]
const atModel = (state?: string) => rowsOf(model, -3.01, -1, state)
const atQuartz = (state?: string) => rowsOf(quartz, 50, 10, state)
const sorted = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort()
const expectLate = async (...rows: unknown[][][]) =>
  expect(sorted(shown(await listed()))).toEqual(sorted(rows.flat()))
const lateFindings = async () => {
  const { body } = await clerk.call('GET', '/api/v1/month/2026-04')
  return body.findings.filter(({ kind }: { kind: string }) => kind === 'late-mid')
}
const idAt = async (where: string) => (await listed()).find(({ latemid }) => latemid === where)!.id

beforeEach(async () => {
  await portal.db.query('delete from adjustment')
  await portal.db.query('delete from merchant where xmid = $1', [stranger])
})

describe('a MID that becomes known after its month was locked', () => {
  test('proposes to the chain what it would have earned: of a net of 100.00 in October 50.00, 10.00 and 10.00, and the house keeps 30.00', async () => {
    const merchant = await add()
    await expectLate(atModel(), atQuartz())
    for (const row of await listed()) expect(row).toMatchObject({ month: '2026-04', author: 'portal' })
    const reasons = async () =>
      Object.fromEntries(
        (await listed())
          .filter(({ latemid }) => latemid === quartz)
          .map(({ masteragentid, reason }) => [masteragentid, reason]),
      )
    const late = `Late MID ${stranger} at Quartz, March 2026: `
    const [two, three] = (
      await portal.db.query<{ name: string }>('select name from master_agent where id in (2, 3) order by id')
    ).map(({ name }) => name)
    expect(await reasons()).toEqual({
      1: `${late}Late Diner, through ${two}`,
      2: `${late}Late Diner, through ${three}`,
      3: `${late}Late Diner`,
    })
    const latemonths = async () =>
      (await clerk.call('GET', `/api/v1/merchant/${merchant.id}`)).body.latemonths
    expect(await latemonths()).toBe(2)
    expect(await lateFindings()).toMatchObject([
      { amount: -5.01, severity: 'warning', link: `/manage/adjustments?search=${stranger}` },
      { amount: 70, where: `${stranger} Late Diner, Quartz, March 2026, $70.00 to 3 agents` },
    ])
    await portal.db.query(`update adjustment set latemonth = '2026-02-01' where masteragentid = 1`)
    expect(await latemonths()).toBe(4)
  })

  test('is named in a reason of 200 characters at most', async () => {
    await add(3, { dba: 'D'.repeat(200) })
    expect(new Set((await listed()).map(({ reason }) => String(reason).length))).toEqual(new Set([200]))
  })

  test('is shared by the rates and parents that the lock copied, whatever they are today', async () => {
    await portal.db.query(
      'update master_agent set percentagecommissionreceived = 99, parentid = null where id = 3',
    )
    await add()
    await portal.db.query(
      'update master_agent set percentagecommissionreceived = 50, parentid = 2 where id = 3',
    )
    await expectLate(atModel(), atQuartz())
  })

  test.each<[what: string, more: object, expected: unknown[][]]>([
    ['inactive and closed before the month pays nobody', { accountstatus: 3, date_closed: closedBefore }, []],
    [
      'inactive and closed in the month pays all',
      { accountstatus: 3, date_closed: closedInMonth },
      [...atModel(), ...atQuartz()],
    ],
    [
      'of an agent at the top pays that agent alone',
      { masteragentid: 4 },
      [
        [4, 40, quartz, 'proposed'],
        [4, -3, model, 'proposed'],
      ],
    ],
    [
      'of the office account is its own',
      { masteragentid: 5 },
      [
        [5, 90, quartz, 'proposed'],
        [5, -9.01, model, 'proposed'],
      ],
    ],
  ])('that is %s', async (_, more, expected) => {
    await add(3, more)
    await expectLate(expected)
  })

  test.each<[basis: string, agentid: number, own: number]>([
    ['perAgentMonth', 4, 40],
    ['perAgentMonth', 3, 50],
    ['perAgentMonth', 6, 40],
    ['perTransaction', 3, 56],
  ])('with %s pays agent %i %d at Quartz', async (basis, agentid, own) => {
    // A lock keeps its settings in a column, terms, that no rule of the snapshot protects.
    await portal.db.query(
      `update month_lock set terms = terms || jsonb_build_object('amountBasis', $1::text)`,
      [basis],
    )
    await add(agentid)
    await portal.db.query(`update month_lock set terms = terms || '{"amountBasis": "perActiveMerchant"}'`)
    const found = (await listed()).find((it) => it.masteragentid === agentid && it.latemid === quartz)
    expect(found?.amount).toBe(own)
    const other = (await listed()).find((it) => it.masteragentid === agentid && it.latemid === model)
    // Agent 4 had its $1.00 of the month already; that of 6, and of 3, is paid here, or for each of three
    // transactions.
    const paid = new Map([
      ['perAgentMonth 4', -4],
      ['perAgentMonth 6', -3],
      ['perAgentMonth 3', -3.01],
      ['perTransaction 3', 0.99],
    ])
    expect(other?.amount).toBe(paid.get(`${basis} ${agentid}`))
  })

  test('follows the merchant while it is merely proposed, and is withdrawn with it', async () => {
    let row = await add(4, { accountstatus: 3, date_closed: closedBefore })
    await expectLate()
    row = await change(row, { date_closed: closedInMonth })
    row = await change(row, { masteragentid: 1 })
    for (const { where } of await lateFindings()) expect(where).toMatch(/ to 1 agent$/)
    row = await change(row, { masteragentid: 3 })
    await expectLate(atModel(), atQuartz())
    row = await change(row, { date_closed: closedBefore })
    await expectLate()
    row = await change(row, { date_closed: closedInMonth })
    await expectLate(atModel(), atQuartz())
    const proposed = (await listed()).map(({ id }) => String(id))
    const removed = await admin.call('DELETE', `/api/v1/merchant/${row.id}`, { version: row.version })
    // April holds income of the MID: it cannot be removed while that month is open.
    expect(removed.status).toBe(409)
    await portal.db.query(`update residual set xmid = 'away' where month = '2026-04-01'`)
    expect((await admin.call('DELETE', `/api/v1/merchant/${row.id}`, {})).status).toBe(204)
    await portal.db.query(`update residual set xmid = $1 where month = '2026-04-01'`, [stranger])
    await expectLate()
    const withdrawn = await portal.db.query(
      `select from audit where entity = 'adjustment' and action = 'delete' and entityid = any ($1)`,
      [proposed],
    )
    expect([proposed.length, withdrawn.length]).toEqual([6, 6])
  })

  test('is proposed by a file of merchants too, and withdrawn by its undo', async () => {
    await portal.db.query(`update residual set xmid = 'away' where month = '2026-04-01'`)
    const head = 'content-disposition: form-data; name="file"; filename="Merchants.csv"'
    const content = `XMID,DBA,Master Agent\n${stranger},Late Diner,3\n`
    const answer = await admin.call(
      'POST',
      '/api/v1/file/merchant',
      `--cut\r\n${head}\r\n\r\n${content}\r\n--cut--\r\n`,
      { 'content-type': 'multipart/form-data; boundary=cut' },
    )
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    await expectLate(atModel(), atQuartz())
    const undone = await post(admin, `file/merchant/${answer.body.batch}/undo`)
    await portal.db.query(`update residual set xmid = $1 where month = '2026-04-01'`, [stranger])
    expect(undone.status, JSON.stringify(undone.body)).toBe(200)
    await expectLate()
  })
})

describe('a decision about a late MID', () => {
  test('is about all agents of the chain, once, and nothing of it is proposed again', async () => {
    const merchant = await add()
    expect((await post(clerk, `adjustment/${await idAt(quartz)}/accept`)).status).toBe(200)
    expect(
      (await post(clerk, `adjustment/${await idAt(model)}/refuse`, { reason: 'Too small' })).status,
    ).toBe(200)
    await expectLate(atModel('refused'), atQuartz('accepted'))
    const accepts = await portal.db.query(
      `select entityid from audit where entity = 'adjustment' and action = 'accept'`,
    )
    expect(accepts).toHaveLength(3)
    await change(merchant, { masteragentid: 4 })
    await expectLate(atModel('refused'), atQuartz('accepted'))
  })

  test('is about what is proposed in its month alone', async () => {
    await add()
    await portal.db.query(
      `update adjustment set state = case masteragentid when 1 then 'refused' else state end,
          month = case masteragentid when 2 then '2026-05-01' else month end
        where lateprocessor = 'Quartz'`,
    )
    const row = (await listed()).find((it) => it.masteragentid === 3 && it.latemid === quartz)!
    expect((await post(clerk, `adjustment/${row.id}/accept`)).status).toBe(200)
    await expectLate(atModel(), [
      [1, 10, quartz, 'refused'],
      [2, 10, quartz, 'proposed'],
      [3, 50, quartz, 'accepted'],
    ])
  })

  test('pays the flat amount once, though it is made row by row', async () => {
    const merchant = await add()
    expect((await post(clerk, `adjustment/${await idAt(model)}/accept`)).status).toBe(200)
    const moved = await change(merchant, { masteragentid: 4 })
    await expectLate(atModel('accepted'), [[4, 40, quartz, 'proposed']])
    const { body: ofOthers } = await insider.call('GET', `/api/v1/adjustment/${await idAt(quartz)}`)
    expect(ofOthers.paysown).toBe(false)
    await change(moved, { masteragentid: 3 })
    await expectLate(atModel('accepted'), atQuartz())
  })

  test('is refused to a person whose own agent it pays, also to administrators', async () => {
    await add()
    const row = (await listed()).find((it) => it.masteragentid === 3 && it.latemid === quartz)!
    const seen = await insider.call('GET', `/api/v1/adjustment/${row.id}`)
    expect(seen.body.paysown).toBe(true)
    for (const [call, body] of [
      ['accept', undefined],
      ['refuse', { reason: 'Not agreed' }],
    ] as const)
      expect(await post(insider, `adjustment/${row.id}/${call}`, body)).toMatchObject({
        status: 403,
        body: {
          error: 'It pays your own branch: another person must decide',
        },
      })
    expect((await clerk.call('GET', `/api/v1/adjustment/${row.id}`)).body.paysown).toBe(false)
  })

  test('is open to a person of an office account that it pays', async () => {
    await add(5)
    const { body } = await clerk.call('GET', `/api/v1/adjustment/${await idAt(quartz)}`)
    expect(body.paysown).toBe(false)
  })

  test('leaves amounts as they are: nobody changes or deletes them', async () => {
    await add()
    const row = (await listed())[0]!
    const body = { version: row.version, amount: 1_000 }
    const reason = 'That of a late MID stays as it is'
    expect(await admin.call('PUT', `/api/v1/adjustment/${row.id}`, body)).toMatchObject({ status: 403 })
    expect(await admin.call('DELETE', `/api/v1/adjustment/${row.id}`, {})).toMatchObject({
      status: 403,
      body: { error: reason },
    })
  })
})

describe('a proposal that nobody decided about', () => {
  const months = async () =>
    (await listed()).map((it) => JSON.stringify([it.masteragentid, it.latemid, it.month, it.state])).sort()
  const at = (where: string, month: string, state: string) =>
    [1, 2, 3].map((id) => JSON.stringify([id, where, month, state]))
  const lockOf = async (month: string) => {
    await settle(portal.db, month)
    await lockMonth(portal.db, { month, username: 'y', address: '', waive })
  }

  test('is proposed in the next open month when its own is locked, by each lock anew, until somebody decides', async () => {
    await add()
    expect((await post(clerk, `adjustment/${await idAt(quartz)}/accept`)).status).toBe(200)
    const left = await idAt(model)
    await lockOf('2026-04-01')
    const accepted = at(quartz, '2026-04', 'accepted')
    expect(await months()).toEqual([...accepted, ...at(model, '2026-05', 'proposed')].sort())
    expect((await post(clerk, `adjustment/${left}/accept`)).status).toBe(404)
    const audited = await portal.db.query(
      `select distinct username, action from audit where entity = 'adjustment' and entityid = $1`,
      [left],
    )
    expect(audited).toContainEqual({ username: 'y', action: 'delete' })
    const { body: april } = await post(clerk, 'report/residual-summary', { month: '2026-04' })
    const { body: may } = await clerk.call('GET', '/api/v1/month/2026-05')
    // Only what was accepted is part of the statements; of what is left the month that holds it warns.
    expect(april.data.map((row: Row) => row['adjustments'])).toEqual(expect.arrayContaining([10, 10, 50]))
    expect(may.findings).toContainEqual(
      expect.objectContaining({ kind: 'late-mid', amount: -5.01, severity: 'warning' }),
    )
    await lockOf('2026-05-01')
    expect(await months()).toEqual([...accepted, ...at(model, '2026-06', 'proposed')].sort())
    expect((await post(clerk, `adjustment/${await idAt(model)}/accept`)).status).toBe(200)
    await lockOf('2026-06-01')
    expect(await months()).toEqual([...accepted, ...at(model, '2026-06', 'accepted')].sort())
    // clerk made the MID known and accepted what it brings; y, who locked, only moved it.
    const june = await requireLock(portal.db, '2026-06-01')
    const changed = async (username: string) =>
      [...(await changesBy(portal.db, june, { username, at: null })).keys()].sort()
    expect([await changed('clerk'), await changed('y')]).toEqual([[1, 2, 3], []])
    await portal.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query(
        `update audit set username = 'else' where entity in ('merchant', 'adjustment') and action = 'create'`,
      )
    })
    expect(await changed('clerk')).toEqual([])
    // A file that added or moved the merchant counts as the form does.
    for (const write of [
      `import_added (batchid, tablename, ids) select b.id, 'merchant', int8multirange(int8range(m.id, m.id + 1))`,
      `import_change (batchid, tablename, rowid, changed) select b.id, 'merchant', m.id, '{"masteragentid": [4, 3]}'`,
      `import_change (batchid, tablename, rowid, changed) select b.id, 'merchant', m.id, '{"accountstatus": [3, 2]}'`,
    ]) {
      const [batch] = await portal.db.query<{ batchid: number }>(
        `with b as (insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
            values ('merchant', 'x', '', 0, 'clerk', 1, 1, 0, 0) returning id)
          insert into ${write} from b, merchant m where m.xmid = $1 returning batchid`,
        [stranger],
      )
      expect(await changed('clerk')).toEqual([1, 2, 3])
      await portal.db.query('delete from import_batch where id = $1', [batch!.batchid])
    }
    expect(await changed('clerk')).toEqual([])
    // So does who deletes it once its pay is accepted, and who accepted the pay of one that is gone.
    const rename = (from: string, to: string) =>
      portal.db.query('update merchant set xmid = $2 where xmid = $1', [from, to])
    await rename(stranger, 'gone')
    expect([await changed('clerk'), await changed('y')]).toEqual([[1, 2, 3], []])
    await rename('gone', stranger)
    await portal.db.query(
      `insert into audit (username, address, action, entity, entityid, before)
        values ('clerk', '', 'delete', 'merchant', '1', jsonb_build_object('xmid', $1::text))`,
      [stranger],
    )
    expect(await changed('clerk')).toEqual([1, 2, 3])
    for (const month of ['2026-06-01', '2026-05-01', '2026-04-01'])
      await reopenMonth(portal.db, { month, username: 'y', address: '', reason: 'For other tests' })
  })
})

describe('a month that is opened again', () => {
  const locked = { month: march, username: 'x', address: '' }
  const takeOver = (body: object) => post(admin, 'month/2026-03/takeover', body)

  test('withdraws with it nothing that was refused, and audits what each was', async () => {
    await add()
    expect((await post(clerk, `adjustment/${await idAt(quartz)}/accept`)).status).toBe(200)
    const refusal = { reason: 'Too small' }
    expect((await post(clerk, `adjustment/${await idAt(model)}/refuse`, refusal)).status).toBe(200)
    const accepted = (await listed()).filter(({ state }) => state === 'accepted')
    await reopenMonth(portal.db, { ...locked, reason: 'A mistake' })
    const keys = [`merchant-added:${stranger}`]
    expect((await takeOver({ keys })).status).toBe(200)
    await expectLate(atModel('refused'))
    const audited = await portal.db.query(
      `select entityid::int as id, before from audit where entity = 'adjustment' and action = 'delete'
        and entityid = any ($1) order by entityid::int`,
      [accepted.map(({ id }) => String(id))],
    )
    expect(audited).toEqual(
      accepted
        .toSorted((a, b) => a.id - b.id)
        .map(({ id, month, masteragentid, amount, reason, state }) => ({
          id,
          before: { month, masteragentid, amount, reason, state },
        })),
    )
    expect((await takeOver({ keys, back: true })).status).toBe(200)
    await lockMonth(portal.db, { ...locked, waive })
    await expectLate(atModel('refused'), atQuartz())
  })

  const ofStranger = `month = '2026-03-01' and processor = 'Quartz' and xmid = '${stranger}'`
  const net = (income: number) =>
    `update residual set income = ${income}, net = ${income} - expense where ${ofStranger}`
  const lateChanged = async () => {
    const { body } = await clerk.call('GET', '/api/v1/month/2026-03')
    return body.findings
      .filter(({ kind }: { kind: string }) => kind === 'late-changed')
      .map((it: Row) => [it['where'], it['amount']])
  }
  const changed = (reason: string, anew: string) => [
    [
      `${stranger} Late Diner, Quartz, $70.00 to 3 agents in April 2026, ${reason}, proposed anew ${anew}`,
      70,
    ],
  ]
  const isGone = `update residual set xmid = 'away' where ${ofStranger}`
  const isBack = `update residual set xmid = '${stranger}' where month = '2026-03-01' and xmid = 'away'`

  test.each<[what: string, found: unknown[][], change: string, undo: string, later: unknown[][]]>([
    ['its row is gone', changed('net $100.00 to none', '$0.00'), isGone, isBack, []],
    [
      'its row has another net',
      changed('net $100.00 to $200.00', '$140.00'),
      net(205),
      net(105),
      rowsOf(quartz, 100, 20),
    ],
    [
      'its row has a net of which nobody earns',
      changed('net $100.00 to $0.00', '$0.00'),
      net(5),
      net(105),
      [],
    ],
  ])('withdraws what was accepted with its next lock when %s', async (_, found, change, undo, later) => {
    await add()
    expect((await post(clerk, `adjustment/${await idAt(quartz)}/accept`)).status).toBe(200)
    expect(
      (await post(clerk, `adjustment/${await idAt(model)}/refuse`, { reason: 'Too small' })).status,
    ).toBe(200)
    await reopenMonth(portal.db, { ...locked, reason: 'A corrected file' })
    expect(await lateChanged()).toEqual([])
    await portal.db.query(change)
    await expectLate(atModel('refused'), atQuartz('accepted'))
    expect(await lateChanged()).toEqual(found)
    await lockMonth(portal.db, { ...locked, waive })
    await expectLate(atModel('refused'), later)
    await reopenMonth(portal.db, { ...locked, reason: 'The file was right' })
    await portal.db.query(undo)
    expect(await lateChanged()).toEqual([])
    await lockMonth(portal.db, { ...locked, waive })
    await expectLate(atModel('refused'), atQuartz())
  })

  test('withdraws what was accepted when its row is gone and nobody would earn by it any more', async () => {
    const row = await add()
    expect((await post(clerk, `adjustment/${await idAt(quartz)}/accept`)).status).toBe(200)
    await portal.db.query(`update merchant set accountstatus = 3, date_closed = $2 where id = $1`, [
      row.id,
      closedBefore,
    ])
    await reopenMonth(portal.db, { ...locked, reason: 'A corrected file' })
    await portal.db.query(`update residual set xmid = 'away' where ${ofStranger}`)
    await lockMonth(portal.db, { ...locked, waive })
    await expectLate()
    await reopenMonth(portal.db, { ...locked, reason: 'The file was right' })
    await portal.db.query(`update residual set xmid = $1 where month = $2 and xmid = 'away'`, [
      stranger,
      march,
    ])
    await lockMonth(portal.db, { ...locked, waive })
  })

  test('proposes anew what was accepted at a rate that its next version has no more, which its locker did not change', async () => {
    await add()
    expect((await post(clerk, `adjustment/${await idAt(quartz)}/accept`)).status).toBe(200)
    const withRate = async (percent: number) => {
      await portal.db.query('update master_agent set percentagecommissionreceived = $1 where id = 3', [
        percent,
      ])
      await reopenMonth(portal.db, { ...locked, reason: 'Another rate was agreed' })
      expect(await lateChanged()).toEqual([])
      expect((await takeOver({ keys: ['agent-rate:3 percentagecommissionreceived'] })).status).toBe(200)
      const found = await lateChanged()
      await lockMonth(portal.db, { ...locked, waive })
      return found
    }
    expect(await withRate(55)).toEqual(
      changed('an agent has another rate, parent or Pay on Inactive', '$70.00'),
    )
    const [own, above] = [55, 5]
    const [first, second, third] = rowsOf(quartz, own, above)
    first![1] = 10
    expect(sorted(shown(await listed()).filter(([, , late]) => late === quartz))).toEqual(
      sorted([first!, second!, third!]),
    )
    await settle(portal.db, '2026-04-01')
    await lockMonth(portal.db, { ...locked, month: '2026-04-01', waive })
    const april = await requireLock(portal.db, '2026-04-01')
    expect((await changesBy(portal.db, april, { username: 'x', at: null })).size).toBe(0)
    await reopenMonth(portal.db, { ...locked, month: '2026-04-01', reason: 'For other tests' })
    await withRate(50)
  })

  test.each<[basis: string, change: string, undo: string, own: number, reason: string]>([
    [
      'perTransaction',
      `update residual set txncount = 4 where ${ofStranger}`,
      `update residual set txncount = 3 where ${ofStranger}`,
      58,
      'other transactions or sales',
    ],
    [
      // The only merchant of agent 6 processes something by the corrected file: the flat amount is its.
      'perAgentMonth',
      `update residual set txncount = 1 where month = '2026-03-01' and xmid = '${xmidOf(2)}'`,
      `update residual set txncount = 0 where month = '2026-03-01' and xmid = '${xmidOf(2)}'`,
      40,
      'an agent has another rate, parent or Pay on Inactive',
    ],
  ])(
    'warns with %s of each reason for which its next lock withdraws what was accepted',
    async (basis, change, undo, own, reason) => {
      const setBasis = (value: string) =>
        portal.db.query(
          `update month_lock set terms = terms || jsonb_build_object('amountBasis', $1::text)`,
          [value],
        )
      const agentid = basis === 'perAgentMonth' ? 6 : 3
      await setBasis(basis)
      // At Quartz alone, so that the flat amount is paid there.
      await portal.db.query(`update residual set xmid = 'model' where month = '2026-03-01'
        and processor = 'Model' and xmid = '${stranger}'`)
      await reopenMonth(portal.db, { ...locked, reason: 'A corrected file' })
      await lockMonth(portal.db, { ...locked, waive })
      await add(agentid)
      expect((await post(clerk, `adjustment/${await idAt(quartz)}/accept`)).status).toBe(200)
      const accepted = (await listed()).map(({ amount }) => Number(amount))
      await reopenMonth(portal.db, { ...locked, reason: 'A corrected file' })
      expect(await lateChanged()).toEqual([])
      await portal.db.query(change)
      const found = await lateChanged()
      await lockMonth(portal.db, { ...locked, waive })
      const ofAgent = (await listed()).find((it) => it.masteragentid === agentid)
      const anew = (await listed()).reduce((sum, { amount }) => sum + Number(amount), 0)
      const [agents, was] = [accepted.length, accepted.reduce((sum, amount) => sum + amount, 0)]
      expect([found, ofAgent?.amount, ofAgent?.state]).toEqual([
        [
          [
            `${stranger} Late Diner, Quartz, $${was}.00 to ${agents} agent${agents > 1 ? 's' : ''} in April 2026, ` +
              `${reason}, proposed anew $${anew}.00`,
            was,
          ],
        ],
        own,
        'proposed',
      ])
      await reopenMonth(portal.db, { ...locked, reason: 'For other tests' })
      await portal.db.query(undo)
      await portal.db.query(`update residual set xmid = '${stranger}' where xmid = 'model'`)
      await setBasis('perActiveMerchant')
      await lockMonth(portal.db, { ...locked, waive })
    },
  )

  test('proposes anew what was refused when its next lock makes it another sum, and leaves the refusal while it is the same or nothing', async () => {
    await add()
    const refusal = { reason: 'Not agreed' }
    expect((await post(clerk, `adjustment/${await idAt(quartz)}/refuse`, refusal)).status).toBe(200)
    const locks = async (change: string) => {
      await reopenMonth(portal.db, { ...locked, reason: 'A corrected file' })
      await portal.db.query(change)
      expect(await lateChanged()).toEqual([])
      await lockMonth(portal.db, { ...locked, waive })
    }
    await locks('select 1')
    await expectLate(atModel(), atQuartz('refused'))
    await locks(isGone)
    await expectLate(atModel(), atQuartz('refused'))
    await locks(isBack)
    await expectLate(atModel(), atQuartz('refused'))
    await locks(net(205))
    await expectLate(atModel(), rowsOf(quartz, 100, 20))
    await locks(net(105))
    await expectLate(atModel(), atQuartz())
  })

  test('keeps what was accepted, and what it pays, when the merchant alone is another since', async () => {
    const row = await add()
    expect((await post(clerk, `adjustment/${await idAt(quartz)}/accept`)).status).toBe(200)
    await change(row, { masteragentid: 4 })
    await reopenMonth(portal.db, { ...locked, reason: 'A mistake' })
    await lockMonth(portal.db, { ...locked, waive })
    await expectLate([[4, -3, model, 'proposed']], atQuartz('accepted'))
  })

  test('withdraws what was proposed or accepted when it takes the merchant over, and proposes it again when it does not after all', async () => {
    await add()
    expect((await post(clerk, `adjustment/${await idAt(quartz)}/accept`)).status).toBe(200)
    await reopenMonth(portal.db, { ...locked, reason: 'A mistake' })
    await expectLate(atModel(), atQuartz('accepted'))
    const keys = [`merchant-added:${stranger}`]
    expect((await takeOver({ keys })).status).toBe(200)
    await expectLate()
    expect((await takeOver({ keys, back: true })).status).toBe(200)
    await expectLate()
    await lockMonth(portal.db, { ...locked, waive })
    await expectLate(atModel(), atQuartz())
    await reopenMonth(portal.db, { ...locked, reason: 'A mistake' })
    expect((await takeOver({ keys })).status).toBe(200)
    await lockMonth(portal.db, { ...locked, waive })
    await expectLate()
  })
})
