import type { MoneySettings } from '../../server/config/money.ts'
import type { Db, Sql, Tx } from '../../server/db/db.ts'
import { monthFindings } from '../../server/money/checklist/checklist.ts'
import { writeMoneySettings } from '../../server/money/moneySettings.ts'
import { monthSource } from '../../server/money/monthSource.ts'
import { plannedOnce } from '../setup/plans.ts'

/**
 * All money in cents, all percentages in ten-thousandths of a percent: 50 % is 500_000. Months are ISO first
 * days.
 */
export type Agent = {
  id: number
  parent: number | null
  percent: number
  flat: number
  eqpercent: number
  eqflat: number
  office?: boolean
  payoninactive?: boolean
  payee?: number | null
  bank?: 'good' | 'none' | 'bad'
}
/** `closed` is an ISO day. */
export type Shop = { id: number; agent: number; status: 1 | 2 | 3; closed?: string | null }
export type Line = {
  month: string
  processor: string
  xmid: string
  txns: number
  sales: number
  income: number
  expense: number
}
export type Terminal = {
  id: number
  agent: number | null
  shop: number | null
  cost: number
  soldfor: number
  month: string
}
export type Subscription = {
  id: number
  agent: number
  amount: number
  start: string | null
  end: string | null
  remaining: number | null
}
export type Adjustment = {
  id: number
  agent: number | null
  shop: number | null
  month: string
  amount: number
}
/** A percentage that holds from a month on; before it that of the agent held, or none if it is the first. */
export type Rate = { agent: number; from: string; percent: number; isFirst?: boolean }
export type Book = {
  agents: Agent[]
  shops: Shop[]
  lines: Line[]
  terminals: Terminal[]
  subscriptions: Subscription[]
  adjustments: Adjustment[]
  rates: Rate[]
  settings: Omit<MoneySettings, 'minimumPayout'> & { minimum: number }
}

export const xmidOf = (shop: number) => `4000${String(shop).padStart(8, '0')}`
const dollars = (cents: number) => (cents / 100).toFixed(2)
const percent = (value: number) => (value / 10_000).toFixed(4)

const put = (sql: Sql, table: string, rows: Record<string, unknown>[]) =>
  rows.length === 0
    ? []
    : sql.query(
        `insert into ${table} (${Object.keys(rows[0]!).join()}) select ${Object.keys(rows[0]!).join()} from jsonb_populate_recordset(null::${table}, $1)`,
        [JSON.stringify(rows)],
      )

/** Writes a book into a database that has none. */
export async function write(sql: Sql, book: Book): Promise<void> {
  const routing = { good: '021000021', none: '', bad: '021000022' }
  await put(
    sql,
    'master_agent',
    book.agents.map((it) => ({
      id: it.id,
      name: `Agent ${it.id}`,
      parentid: null,
      payeeid: null,
      percentagecommissionreceived: percent(it.percent),
      amountcommissionreceived: dollars(it.flat),
      percentageequipmentcommissionreceived: percent(it.eqpercent),
      amountequipmentcommissionreceived: dollars(it.eqflat),
      isofficeaccount: it.office ?? false,
      payoninactive: it.payoninactive ?? false,
      routingnumber: routing[it.bank ?? 'good'],
      bankaccountnumber: it.bank === 'none' ? null : '\\x01',
      commissionnoteditable: false,
      businessname: '',
      notes: '',
    })),
  )
  for (const { id, parent, payee } of book.agents)
    await sql.query('update master_agent set parentid = $2, payeeid = $3 where id = $1', [
      id,
      parent,
      payee ?? null,
    ])
  await put(
    sql,
    'merchant',
    book.shops.map(({ id, agent, status, closed }) => ({
      id,
      xmid: xmidOf(id),
      dba: `Shop ${id}`,
      masteragentid: agent,
      accountstatus: status,
      date_closed: closed ? Date.parse(`${closed}T00:00:00Z`) / 1000 : null,
      ...blank,
    })),
  )
  const [batch] = await sql.query<{ id: number }>(
    `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged) values ('compdata', 'x', '', 0, 'x', 0, 0, 0, 0) returning id`,
  )
  await put(
    sql,
    'residual',
    book.lines.map((it) => ({
      month: it.month,
      processor: it.processor,
      xmid: it.xmid,
      dba: 'As in the file',
      txncount: it.txns,
      sales: dollars(it.sales),
      income: dollars(it.income),
      expense: dollars(it.expense),
      net: dollars(it.income - it.expense),
      batchid: batch!.id,
    })),
  )
  await put(
    sql,
    'equipment',
    book.terminals.map((it) => ({
      id: it.id,
      version: 1,
      model: 'T',
      serialnumber: String(it.id),
      licensingkey: '',
      trackingnumber: '',
      paymentterms: '',
      masteragentid: it.agent,
      merchantid: it.shop,
      cost: dollars(it.cost),
      soldfor: dollars(it.soldfor),
      paidsofar: dollars(it.soldfor),
    })),
  )
  for (const { id, month } of book.terminals)
    await sql.query('update equipment set paidmonth = $2 where id = $1', [id, month])
  await put(
    sql,
    'collection_subscription',
    book.subscriptions.map((it) => ({
      id: it.id,
      masteragentid: it.agent,
      amount: dollars(it.amount),
      notes: `Fee ${it.id}`,
      startmonth: it.start,
      endmonth: it.end,
      remaining: it.remaining,
    })),
  )
  await put(
    sql,
    'adjustment',
    book.adjustments.map((it) => ({
      id: it.id,
      version: 1,
      masteragentid: it.agent,
      merchantid: it.shop,
      month: it.month,
      amount: dollars(it.amount),
      reason: `Reason ${it.id}`,
      author: 'x',
      recorded_at: '2026-01-01',
    })),
  )
  for (const { agent, from, percent: value, isFirst } of book.rates) {
    const before = book.agents.find(({ id }) => id === agent)!.percent
    for (const [month, held] of [
      ...(isFirst ? [] : [['1900-01-01', before] as const]),
      [from, value] as const,
    ])
      await sql.query(
        `insert into agent_rate (masteragentid, field, value, from_month, username) values ($1, 'percentagecommissionreceived', $2, $3, 'x')
          on conflict (masteragentid, field, from_month) do update set value = excluded.value`,
        [agent, percent(held), month],
      )
  }
  const { minimum, netNegative, amountBasis } = book.settings
  await writeMoneySettings(sql, { netNegative, amountBasis, minimumPayout: minimum / 100 })
}

const texts = [
  'businesstype',
  'product',
  'dbaaddress',
  'dbacity',
  'dbastate',
  'dbazip',
  'legaladdress',
  'legalcity',
  'legalstate',
  'legalzip',
  'status',
  'sales_rep',
]
const more = ['notes', 'tinstatus', 'tinstatusdescription', 'legalname', 'processor', 'mcc', 'groupname']
const blank = { version: 1, ...Object.fromEntries([...texts, ...more].map((name) => [name, ''])) }

export const relations = ['merchant_month', 'pay_line', 'statement', 'statement_line'] as const
export type Relation = (typeof relations)[number]
export type Answer = Record<Relation, Record<string, unknown>[]>

/**
 * The four relations of a month, each in an order of its own, every amount as the text that PostgreSQL
 * writes. One statement, since to plan one takes most of its time.
 */
export async function relationsOf(
  sql: Sql,
  month: string,
  agents: number[] | null = null,
  version?: number,
): Promise<Answer> {
  const { ctes, values } = await monthSource(sql, month, {
    agents,
    ...(version !== undefined && { version }),
  })
  const rows = await sql.query<{ name: Relation; row: Record<string, unknown> }>(
    `with recursive ${ctes} select name, (select jsonb_object_agg(key, case when jsonb_typeof(value) = 'number' and key in (${cents}) then to_jsonb(round(100 * value::numeric)) else value end)
        from jsonb_each(r)) as row
      from (${relations.map((name) => `select '${name}' as name, to_jsonb(r) as r, r::text as text from ${name} r`).join(' union all ')}) all_relations
      order by text collate "C"`,
    values,
  )
  const of = (wanted: Relation) => rows.filter(({ name }) => name === wanted).map(({ row }) => row)
  return Object.fromEntries(relations.map((name) => [name, of(name)])) as Answer
}

const amounts = [
  'sales',
  'income',
  'expense',
  'net',
  'house',
  'flat',
  'amount',
  'withheld',
  'own',
  'override',
  'equipment',
  'adjustments',
  'subscriptions',
  'carryin',
  'due',
]
const cents = [...amounts, 'carryout', 'payable'].map((name) => `'${name}'`).join()

const undone = Symbol('undone')

/** Works in a transaction that leaves nothing behind. */
export const trial = (db: Db, work: (tx: Tx) => Promise<void>) =>
  plannedOnce(db)
    .transaction(async (tx) => {
      await work(tx)
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })

/** The reason for which tests waive what a checklist warns of. */
export const waive = 'Looked at one by one'
/** Leaves no missing file and no stated total that differs, which a lock with a reason would refuse. */
export async function settle(sql: Sql, month: string): Promise<void> {
  for (const { kind, key } of await monthFindings(sql, month))
    if (kind === 'missing-file')
      await sql.query('insert into processor_statement (processor, month, nofile) values ($2, $1, true)', [
        month,
        key.slice(kind.length + 1),
      ])
  await sql.query(
    `update processor_statement s set statednet = f.net
      from (select processor, sum(net) as net from residual where month = $1 group by processor) f
      where s.month = $1 and s.processor = f.processor and s.statednet is not null`,
    [month],
  )
}

/** Writes what the run of a locked month pays into the ledger, as a release on this ISO day would. */
export async function payRun(sql: Sql, month: string, effective: string | null = null) {
  const { ctes, values, lock } = await monthSource(sql, month, { agents: null })
  const rows = await sql.query<{ payee: number; masteragentid: number; topay: string }>(
    `with recursive ${ctes} select payee, masteragentid, topay::text as topay from run_statement where topay <> 0`,
    values,
  )
  if (rows.length === 0) return
  const [release] = await sql.query<{ id: number }>(
    `insert into payout_release (lockid, month, how, username, address) values ($1, $2, 'migrated', 'x', '') returning id`,
    [lock!.id, month],
  )
  await sql.query(
    `with paid as (select * from jsonb_to_recordset($2) as p (payee int, masteragentid int, topay numeric)),
      payment as (
        insert into payout_payment (releaseid, payeeid, displayid, name, amount, effective)
        select $1, payee, '', '', sum(topay), $5 from paid group by payee returning id, payeeid)
      insert into payout_allocation (paymentid, masteragentid, month, version, amount)
      select y.id, p.masteragentid, $3, $4, p.topay from paid p join payment y on y.payeeid = p.payee`,
    [release!.id, JSON.stringify(rows), month, lock!.version, effective],
  )
}
