import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findingKinds } from '../../../schemas/api/months/months.ts'
import { monthFindings } from '../../../server/money/checklist/checklist.ts'
import { lockMonth, reopenMonth } from '../../../server/money/lock.ts'
import {
  currentLock,
  monthName,
  listMonths,
  assertMonthOpen,
  type MonthLock,
} from '../../../server/money/months.ts'
import { snapshotHash } from '../../../server/money/snapshot.ts'
import { relationsOf, settle, waive } from '../../money/book.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { waitingForLocks } from '../../whileUncommitted.ts'

let portal: TestPortal
let staff: SignedIn
let newest: string
let open: string
let current: string
const action = { username: 'staff', address: '127.0.0.1', waive }
const iso = (year: number, month: number) => new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
beforeAll(async () => {
  portal = await openTestPortal()
  staff = await portal.login('staff')
  const now = new Date()
  ;[current, open, newest] = [0, 1, 2].map((back) => iso(now.getUTCFullYear(), now.getUTCMonth() - back)) as [
    string,
    string,
    string,
  ]
})
afterAll(() => portal.close())

const wire = (month: string) => month.slice(0, 7)
const sql = (text: string, values: unknown[] = []) => portal.db.query(text, values)

describe('the demo', () => {
  test('holds 24 months: 22 locked, the 23rd reopened once and locked again, the last open', async () => {
    const states = await listMonths(portal.db)
    expect(states.map(({ state }) => state)).toEqual(['Open', ...Array(23).fill('Locked')])
    expect(states[0]!.month).toBe(open)
    expect(
      await sql(
        'select version, reopened_at is null as holds from month_lock where month = $1 order by version',
        [newest],
      ),
    ).toEqual([
      { version: 1, holds: false },
      { version: 2, holds: true },
    ])
  })
  test('shows what the checklist looks for', async () => {
    const found = await monthFindings(portal.db, open)
    expect(new Set(found.map(({ kind }) => kind)).size).toBeGreaterThan(6)
    for (const kind of Object.keys(findingKinds))
      expect(await monthFindings(portal.db, open, kind), kind).toEqual(
        found.filter((one) => one.kind === kind),
      )
    const what = new Map(
      found.map((one) => [one.what, found.filter((other) => other.what === one.what).length]),
    )
    expect(found.filter(({ severity }) => severity === 'stop')).toEqual([])
    expect(what.get('The MID is not in the portfolio')).toBe(3)
    expect(what.get('The stated total differs from the file')).toBe(1)
    expect(found.find((one) => one.what === 'The stated total differs from the file')?.where).toMatch(
      /^Borealis: stated \$[\d,.]+, in the file \$[\d,.]+$/,
    )
    expect(what.get('An active merchant with volume is in no file')).toBeGreaterThanOrEqual(4)
    expect(what.get('No bank data')).toBe(2)
    expect(what.get('Routing number fails its check')).toBe(1)
    expect(what.get(`The percentage is above the parent's: the parent earns no override`)).toBe(1)
    expect(what.get('The merchant cost more than it brought')).toBeGreaterThan(20)
    expect(await monthFindings(portal.db, newest)).toEqual(
      await sql(
        `select key, kind, severity, what, "where", amount, link, waiver from locked_finding
          where lockid = (select id from month_lock where month = $1 and version = 2) order by n`,
        [newest],
      ),
    )
  })
  test('pays business and personal accounts, which are about a third', async () => {
    const paid = await sql('select isbusiness, count(*) as n from payout_payment group by 1 order by 1')
    expect(paid.map(({ isbusiness }) => isbusiness)).toEqual([false, true])
    const [agents] =
      await sql(`select count(*) filter (where not isbankaccounttypebusiness) * 1.0 / count(*) as share
      from master_agent where bankaccountnumber is not null`)
    expect(Math.abs(Number(agents!.share) - 1 / 3)).toBeLessThan(0.1)
  })
  test('carries a balance below zero, and pays a statement to another', async () => {
    const { statement } = await relationsOf(portal.db, open)
    expect(Number(statement.find(({ masteragentid }) => masteragentid === 45)?.carryin)).toBeLessThan(0)
    expect(statement.find(({ masteragentid }) => masteragentid === 20)?.payeeid).toBe(21)
  })
  test('has every hash equal to that of its snapshot, and two versions that differ', async () => {
    const locks = await sql('select id, hash from month_lock order by id')
    for (const { id, hash } of locks) expect(await snapshotHash(portal.db, Number(id))).toBe(hash)
    expect(new Set(locks.map(({ hash }) => hash)).size).toBe(24)
    const [first, second] = [
      await relationsOf(portal.db, newest, [12], 1),
      await relationsOf(portal.db, newest, [12], 2),
    ]
    expect(Number(second.statement[0]!.due) - Number(first.statement[0]!.due)).toBe(7_500)
  })
})

describe('a locked month', () => {
  test('stays byte for byte as it was, whatever is imported, moved, priced, sold, adjusted or deleted later', async () => {
    const before = await relationsOf(portal.db, newest)
    await sql('update residual set income = income + 100, net = net + 100 where month = $1', [newest])
    await sql(`delete from residual where month = $1 and processor = 'Corona'`, [newest])
    await sql('update merchant set masteragentid = 2, dba = dba || $1, accountstatus = 3 where id % 2 = 0', [
      ' renamed',
    ])
    await sql(
      'update master_agent set parentid = null, payeeid = 2, isofficeaccount = false, payoninactive = not payoninactive, name = $1',
      ['renamed'],
    )
    await sql('update agent_rate set value = 1')
    await sql('update equipment set cost = 0, paidmonth = $1', [newest])
    await sql(
      `insert into adjustment (month, masteragentid, amount, reason, author) values ($1, 2, 99, 'late', 'x')`,
      [newest],
    )
    await sql('update collection_subscription set amount = 999')
    await sql(`insert into setting (name, value) values ('money.minimumPayout', '1000000')`)
    expect(JSON.stringify(await relationsOf(portal.db, newest))).toBe(JSON.stringify(before))
    await portal.close()
    portal = await openTestPortal()
    staff = await portal.login('staff')
  })
  test.each([
    'locked_merchant',
    'locked_pay_part',
    'locked_share',
    'locked_statement',
    'locked_statement_line',
    'locked_portfolio',
    'locked_portfolio_total',
    'locked_carry',
  ])('%s cannot be changed, deleted or emptied', async (table) => {
    for (const text of [`update ${table} set lockid = 1`, `delete from ${table}`, `truncate ${table}`])
      await expect(sql(text)).rejects.toThrow('cannot be changed')
  })
  test('refuses a file, naming who locked it and when', async () => {
    const { locked_at } = (await currentLock(portal.db, newest)) as MonthLock
    const when = new Intl.DateTimeFormat('en-US', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'America/New_York',
    }).format(locked_at)
    await expect(assertMonthOpen(portal.db, newest, 'America/New_York')).rejects.toMatchObject({
      status: 409,
      message: `${monthName(newest)} is locked: staff locked it on ${when}`,
    })
    await expect(assertMonthOpen(portal.db, '2020-01-01', 'UTC')).rejects.toThrow(
      `January 2020 is closed, because ${monthName(newest)}, which comes after it, is locked: staff locked it on `,
    )
    await expect(assertMonthOpen(portal.db, open, 'UTC')).resolves.toBeUndefined()
  })
  test('takes neither an adjustment nor a statement; an open month takes both', async () => {
    const adjustment = { masteragentid: 4, amount: -12.5, reason: 'Paper' }
    const refusal = ({ status, body }: { status: number; body: { error?: string } }) => [status, body.error]
    const closed = (rule: string) => [409, `${monthName(newest)} is locked. ${rule} only in an open month`]
    const refused = await staff.call('POST', '/api/v1/adjustment', { ...adjustment, month: wire(newest) })
    expect(refusal(refused)).toEqual(closed('An adjustment is possible'))
    const made = await staff.call('POST', '/api/v1/adjustment', { ...adjustment, month: wire(open) })
    expect(made.body).toMatchObject({
      month: wire(open),
      amount: -12.5,
      author: 'staff',
      recorded: expect.any(Number),
    })
    const moved = await staff.call('PUT', `/api/v1/adjustment/${made.body.id}`, {
      version: 1,
      month: wire(newest),
    })
    expect(refusal(moved)).toEqual(closed('An adjustment is possible'))
    expect((await staff.call('DELETE', `/api/v1/adjustment/${made.body.id}`)).status).toBe(204)
    const [old] = await sql('select id, version from adjustment where month = $1', [newest])
    const path = `/api/v1/adjustment/${old!.id}`
    expect(refusal(await staff.call('PUT', path, { version: old!.version, amount: 1 }))).toEqual(
      closed('An adjustment is possible'),
    )
    expect(refusal(await staff.call('DELETE', path))).toEqual(closed('An adjustment can be deleted'))
    const statement = { processor: 'Drift', month: wire(newest), nofile: true }
    expect(refusal(await staff.call('POST', '/api/v1/processorstatement', statement))).toEqual(
      closed('A statement can be changed'),
    )
    const [kept] = await sql(
      `insert into processor_statement (processor, month, statednet) values ('Kept', $1, 1) returning id`,
      [newest],
    )
    const keptPath = `/api/v1/processorstatement/${kept!.id}`
    for (const change of [{ statednet: 2 }, { month: wire(open) }])
      expect(refusal(await staff.call('PUT', keptPath, { version: 1, ...change }))).toEqual(
        closed('A statement can be changed'),
      )
    expect(refusal(await staff.call('DELETE', keptPath))).toEqual(closed('A statement can be deleted'))
    await sql('delete from processor_statement where id = $1', [kept!.id])
    const stated = await staff.call('POST', '/api/v1/processorstatement', {
      processor: 'Drift',
      month: wire(open),
      nofile: true,
      note: 'None came',
    })
    expect(stated.status).toBe(201)
    const twice = await staff.call('POST', '/api/v1/processorstatement', {
      processor: ' DRIFT ',
      month: wire(open),
      statednet: 1,
    })
    expect([twice.status, twice.body.error]).toEqual([
      409,
      `There is a statement of Drift for ${monthName(open)} already`,
    ])
    const later = await staff.call('POST', '/api/v1/processorstatement', {
      processor: 'Drift',
      month: wire(current),
      nofile: true,
    })
    const shifted = await staff.call('PUT', `/api/v1/processorstatement/${later.body.id}`, {
      version: later.body.version,
      month: wire(open),
    })
    expect([shifted.status, shifted.body.error]).toEqual([twice.status, twice.body.error])
  })
  test.each([
    ['Echo', 'Echo'],
    ['Fjord', ' FJORD '],
  ])(
    'stores one of two statements of %s and of "%s" that are typed at the same moment',
    async (one, other) => {
      const typed = (processor: string) =>
        staff.call('POST', '/api/v1/processorstatement', { processor, month: wire(open), statednet: 1 })
      const { answers } = await portal.db.transaction(async (tx) => {
        await tx.query('lock table processor_statement in share mode')
        const begun = [one, other].map(typed)
        await expect.poll(() => waitingForLocks(portal.db), { interval: 10 }).toBe(2)
        return { answers: Promise.all(begun) }
      })
      const told = (await answers).map(({ status, body }) => [status, body.error])
      const [stored] = await portal.db.query<{ processor: string }>(
        'select processor from processor_statement where processor in ($1, $2)',
        [one.trim(), other.trim()],
      )
      expect(told).toContainEqual([201, undefined])
      expect(told).toContainEqual([
        409,
        `There is a statement of ${stored!.processor} for ${monthName(open)} already`,
      ])
    },
  )
  test('puts no deleted statement back beside one that was typed under another writing since', async () => {
    const path = '/api/v1/processorstatement'
    const typed = (processor: string) =>
      staff.call('POST', path, { processor, month: wire(open), statednet: 1 })
    const { body: first } = await typed('Garnet')
    const records = { records: [{ id: first.id, version: first.version }], remove: true }
    const looked = await staff.call('POST', `${path}/bulk/preview`, records)
    const { fingerprint } = looked.body
    const { body: removed } = await staff.call('POST', `${path}/bulk`, { ...records, fingerprint })
    expect((await typed('GARNET')).status).toBe(201)
    const { status, body } = await staff.call('POST', `${path}/bulk/${removed.id}/undo`)
    expect(status, JSON.stringify(looked.body)).toBe(409)
    expect(body.error).toContain(`There is a statement of GARNET for ${monthName(open)} already`)
  })
  test.each([
    [{}, 422, 'Choose a master agent or a merchant'],
    [{ masteragentid: 4, merchantid: 1 }, 422, 'Choose a master agent or a merchant, not both'],
    [{ masteragentid: 4, amount: 0 }, 422, 'Amount may not be 0'],
    [{ masteragentid: 4, amount: -2.3e-114 }, 422, 'Amount may not be 0'],
    [{ masteragentid: 4, month: '2026-13' }, 422, 'Month must be a month as YYYY-MM'],
    [{ masteragentid: 4, month: '' }, 422, 'Month is required'],
    [{ masteragentid: 4, amount: 1.005 }, 422, 'Amount may have at most 2 decimals'],
  ])('an adjustment with %j is refused: %s %s', async (body, status, sentence) => {
    const answer = await staff.call('POST', '/api/v1/adjustment', {
      month: wire(open),
      amount: 1,
      reason: 'R',
      ...body,
    })
    expect([answer.status, Object.values(answer.body.fields)[0]]).toEqual([status, sentence])
  })
  test.each(['own', 'override', 'withheld', 'equipment', 'adjustments', 'subscriptions', 'due', 'merchants'])(
    'keeps a master agent from being deleted whose statement holds %s alone',
    async (column) => {
      const [agent] = await portal.db.query<{ id: number }>(
        `insert into master_agent (name) values ('Alone') returning id`,
      )
      await sql(
        `insert into locked_statement
        select (jsonb_populate_record(s, to_jsonb(s) || jsonb_build_object('masteragentid', $3::int,
          'own', 0, 'override', 0, 'withheld', 0, 'equipment', 0, 'adjustments', 0, 'subscriptions', 0,
          'due', 0, 'merchants', 0) || jsonb_build_object($1::text, 1))).*
        from locked_statement s join month_lock l on l.id = s.lockid
        where l.month = $2 and l.reopened_at is null limit 1`,
        [column, newest, agent!.id],
      )
      const answer = await staff.call('DELETE', `/api/v1/masteragent/${agent!.id}`)
      await portal.db.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query('delete from locked_statement where masteragentid = $1', [agent!.id])
        await tx.query('delete from master_agent where id = $1', [agent!.id])
      })
      expect([answer.status, answer.body.error]).toEqual([
        409,
        `This master agent cannot be deleted: it has a statement in ${monthName(newest)}, which was locked`,
      ])
    },
  )
  test('keeps a master agent from being deleted whose lines come to nothing together', async () => {
    const [agent] = await portal.db.query<{ id: number }>(
      `insert into master_agent (name) values ('Alone') returning id`,
    )
    await sql(
      `insert into locked_statement_line (lockid, masteragentid, kind, label, amount)
        select l.id, $2, 'adjustment', 'Refund', x.amount
        from month_lock l, (values (10), (-10)) x (amount) where l.month = $1 and l.reopened_at is null`,
      [newest, agent!.id],
    )
    const answer = await staff.call('DELETE', `/api/v1/masteragent/${agent!.id}`)
    await portal.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query('delete from locked_statement_line where masteragentid = $1', [agent!.id])
      await tx.query('delete from master_agent where id = $1', [agent!.id])
    })
    expect([answer.status, answer.body.error]).toEqual([
      409,
      `This master agent cannot be deleted: it has a statement in ${monthName(newest)}, which was locked`,
    ])
  })
  test('keeps a master agent who was paid from being deleted', async () => {
    await sql('update merchant set masteragentid = 3 where masteragentid = 44')
    await sql('update equipment set masteragentid = 3 where masteragentid = 44')
    const answer = await staff.call('DELETE', '/api/v1/masteragent/44')
    expect([answer.status, answer.body.error]).toEqual([
      409,
      `This master agent cannot be deleted: it has a statement in ${monthName(newest)}, which was locked`,
    ])
  })
})

describe('the order', () => {
  test('only the newest locked month can be reopened, with a reason, and a month locks only when no earlier one is open', async () => {
    const second = iso(Number(newest.slice(0, 4)), Number(newest.slice(5, 7)) - 2)
    await expect(reopenMonth(portal.db, { month: second, reason: 'x', ...action })).rejects.toMatchObject({
      status: 409,
      message: `${monthName(newest)}, which comes after it, is locked: only the newest locked month can be reopened`,
    })
    await expect(reopenMonth(portal.db, { month: newest, reason: ' ', ...action })).rejects.toMatchObject({
      status: 422,
    })
    await expect(reopenMonth(portal.db, { month: open, reason: 'x', ...action })).rejects.toMatchObject({
      status: 409,
      message: `${monthName(open)} is not locked`,
    })
    await expect(lockMonth(portal.db, { month: current, ...action })).rejects.toMatchObject({
      status: 409,
      message: `${monthName(open)} is still open: months are locked one after the other`,
    })
    await expect(lockMonth(portal.db, { month: newest, ...action })).rejects.toThrow(
      `${monthName(newest)} is locked already: staff locked it on `,
    )
    await reopenMonth(portal.db, { month: newest, reason: ' Late file ', ...action })
    expect((await listMonths(portal.db)).slice(0, 2)).toEqual([
      { month: open, state: 'Open' },
      { month: newest, state: 'Reopened' },
    ])
    await expect(lockMonth(portal.db, { month: open, ...action })).rejects.toThrow(
      `${monthName(newest)} is still open`,
    )
    expect((await lockMonth(portal.db, { month: newest, ...action })).version).toBe(3)
    await settle(portal.db, open)
    expect((await lockMonth(portal.db, { month: open, ...action })).version).toBe(1)
    await expect(lockMonth(portal.db, { month: current, ...action })).rejects.toMatchObject({
      status: 409,
      message: `${monthName(current)} holds nothing that could be locked`,
    })
    const auditEntries = await sql(
      `select action, entityid, before, after from audit where action in ('lock', 'reopen')
        order by id desc limit 3`,
    )
    const versionOf = async (month: string, version: number) =>
      (
        await sql('select version, hash from month_lock where month = $1 and version = $2', [month, version])
      )[0]
    expect(auditEntries).toEqual([
      { action: 'lock', entityid: wire(open), before: null, after: await versionOf(open, 1) },
      { action: 'lock', entityid: wire(newest), before: null, after: await versionOf(newest, 3) },
      {
        action: 'reopen',
        entityid: wire(newest),
        before: await versionOf(newest, 2),
        after: { reason: 'Late file' },
      },
    ])
  })
  test('a new rate and a terminal that is paid count in the first month that is not locked', async () => {
    const agent = (await staff.call('GET', '/api/v1/masteragent/7')).body
    await sql(`insert into month_lock (month, version, hash, username) values ($1, 1, '', 'x')`, [current])
    await staff.call('PUT', '/api/v1/masteragent/7', { version: agent.version, amountcommissionreceived: 3 })
    await staff.call('POST', '/api/v1/equipment', {
      model: 'T',
      serialnumber: 'PAID1',
      soldfor: 10,
      paidsofar: 10,
    })
    const next = iso(Number(current.slice(0, 4)), Number(current.slice(5, 7)))
    expect(
      await sql(
        `select from_month as month from agent_rate where masteragentid = 7 and field = 'amountcommissionreceived' order by from_month desc limit 1`,
      ),
    ).toEqual([{ month: next }])
    expect(await sql(`select paidmonth as month from equipment where serialnumber = 'PAID1'`)).toEqual([
      { month: next },
    ])
    await sql(`update equipment set paidsofar = 0 where serialnumber = 'PAID1'`)
    expect(await sql(`select paidmonth as month from equipment where serialnumber = 'PAID1'`)).toEqual([
      { month: null },
    ])
    await sql('update equipment set paidsofar = 0 where paidmonth = $1', [newest])
    expect(
      (await sql('select count(*) from equipment where paidmonth = $1 and paidsofar = 0', [newest]))[0],
    ).not.toEqual({ count: 0 })
  })
  test('agents who stand in a circle keep a month from being locked, and say who', async () => {
    await sql('delete from month_lock where month = $1', [current])
    await sql(
      `insert into adjustment (month, masteragentid, amount, reason, author) values ($1, 2, 1, 'x', 'x')`,
      [current],
    )
    await sql('update master_agent set parentid = 40 where id = 16')
    await expect(lockMonth(portal.db, { month: current, ...action })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('The agent stands below itself: MA0016 '),
    })
    expect(await currentLock(portal.db, current)).toBeNull()
  })
})
