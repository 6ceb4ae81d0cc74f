import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tx } from '../../../server/db/db.ts'
import { snapshotHash } from '../../../server/money/snapshot.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let lockid: number
beforeAll(async () => {
  portal = await openTestPortal()
  const [lock] = await portal.db.query<{ id: number }>('select max(id) as id from month_lock')
  lockid = lock!.id
  await portal.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(`insert into locked_terminal values ($1, 90001, 'M', 'S', 2, 1, 2)`, [lockid])
    await tx.query(`insert into locked_subscription values ($1, 90001, 2, 1, 'A')`, [lockid])
    await tx.query(`insert into locked_adjusted_merchant values ($1, '9', 'A', 2, 2, 1)`, [lockid])
    await tx.query(
      `insert into locked_pay_part values ($1, 90001, 0, '{1,2}', '{3,4}', '{5,6}', '{0,1}', '{7,8}', '{9,10}')`,
      [lockid],
    )
    await tx.query(
      `insert into locked_share values ($1, 90001, 90002, 0, 3, 5, '{1,2}', '{0,1}', '{7,8}', '{9,10}')`,
      [lockid],
    )
  })
})
afterAll(() => portal.close())

const tables = [
  'locked_merchant',
  'locked_pay_part',
  'locked_share',
  'locked_statement',
  'locked_statement_line',
  'locked_agent',
  'locked_terminal',
  'locked_subscription',
  'locked_adjusted_merchant',
]
/** What belongs to the run, and the number of the lock itself (months 7). */
const notHashed = ['lockid', 'locked_statement.carryout', 'locked_statement.payable', 'locked_statement.hold']
/** SQL of another value of a column, by its type. */
const otherValue: Record<string, (column: string) => string> = {
  integer: (column) => `coalesce(${column}, 0) + 1000000`,
  bigint: (column) => `coalesce(${column}, 0) + 1000000`,
  numeric: (column) => `${column} + 0.01`,
  text: (column) => `coalesce(${column}, '') || 'x'`,
  boolean: (column) => `not ${column}`,
  bytea: (column) => `coalesce(${column}, '') || '\\x01'`,
  jsonb: (column) => `${column} || '[1]'`,
}

/** Lines of pay in parts belong to locks of the third formula. */
const formulaOf = (table: string) => (table === 'locked_pay_part' ? 3 : 4)
const setFormula = (tx: Tx, formula: number) =>
  tx.query('update month_lock set formula = $2 where id = $1', [lockid, formula])

/** The hash after a change that only a replica may make; the change is taken back. */
async function hashAfter(change: (tx: Tx) => Promise<unknown>): Promise<string> {
  let hash = ''
  await portal.db
    .transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await change(tx)
      hash = await snapshotHash(tx, lockid)
      throw new Error('taken back')
    })
    .catch((error: Error) => expect(error.message).toBe('taken back'))
  return hash
}
const columnsOf = (table: string) =>
  portal.db.query<{ name: string; type: string; element: string }>(
    `select column_name as name, data_type as type, ltrim(udt_name, '_') as element
      from information_schema.columns where table_name = $1 order by ordinal_position`,
    [table],
  )
/** One row of a lock. */
const oneRow = (table: string) =>
  `ctid = (select ctid from ${table} where lockid = ${lockid} order by ctid desc limit 1)`

describe('the hash of a lock', () => {
  test.each(tables)('changes with every cell of %s', async (table) => {
    const formula = formulaOf(table)
    const before = await hashAfter((tx) => setFormula(tx, formula))
    const hashes = new Map<string, string>([['unchanged', before]])
    for (const { name, type, element } of await columnsOf(table)) {
      const isArray = type === 'ARRAY'
      const cell = isArray ? `${name}[array_length(${name}, 1)]` : name
      const change =
        otherValue[isArray ? element.replace('int4', 'integer').replace('int8', 'bigint') : type]!
      const changed = await hashAfter(async (tx) => {
        await setFormula(tx, formula)
        await tx.query(`update ${table} set ${cell} = ${change(cell)} where ${oneRow(table)}`)
      })
      if (notHashed.includes(name) || notHashed.includes(`${table}.${name}`)) {
        if (name !== 'lockid') expect(changed, name).toBe(before)
      } else hashes.set(name, changed)
    }
    expect(new Set(hashes.values()).size, [...hashes].join('\n')).toBe(hashes.size)
  })

  test.each(tables)('changes when a row of %s is missing', async (table) => {
    const formula = formulaOf(table)
    const changed = await hashAfter(async (tx) => {
      await setFormula(tx, formula)
      await tx.query(`delete from ${table} where ${oneRow(table)}`)
    })
    expect(changed).not.toBe(await hashAfter((tx) => setFormula(tx, formula)))
  })

  test('changes with each line at an end of a thousand, with and without the lines beside it', async () => {
    const ends = [[], [20_999], [21_000], [21_001], [20_999, 21_000], [21_000, 21_001], [20_999, 21_001]]
    const hashes = new Map<string, string>()
    for (const lines of [...ends, [20_999, 21_000, 21_001], [5_000_123], [5_000_124]])
      hashes.set(
        lines.join(),
        await hashAfter((tx) =>
          tx.query(
            `insert into locked_merchant
              select (jsonb_populate_record(m, jsonb_build_object('line', l))).*
              from locked_merchant m cross join unnest($2::int[]) as l where m.lockid = $1 and m.line = 1`,
            [lockid, lines],
          ),
        ),
      )
    expect(hashes.get('')).toBe(await snapshotHash(portal.db, lockid))
    expect(new Set(hashes.values()).size, [...hashes].join('\n')).toBe(hashes.size)
  })

  test.each(['month', 'terms', 'inputs', 'rates'])('changes with the %s of the lock', async (column) => {
    const other = column === 'month' ? `month - interval '10 years'` : `'[1]'::jsonb`
    const changed = await hashAfter((tx) =>
      tx.query(`update month_lock set ${column} = ${other} where id = $1`, [lockid]),
    )
    expect(changed).not.toBe(await snapshotHash(portal.db, lockid))
  })

  const exchanges = [
    ['two amounts of an agent change places', 'amounts[1] = amounts[2], amounts[2] = amounts[1]'],
    ['an amount becomes a withheld one', 'amounts[1] = withhelds[1], withhelds[1] = amounts[1]'],
  ]
  test.each(
    ['locked_share', 'locked_pay_part'].flatMap((table) =>
      exchanges.map(([what, change]) => [what, table, change] as const),
    ),
  )('changes when %s in %s', async (_, table, change) => {
    const formula = formulaOf(table)
    const changed = await hashAfter(async (tx) => {
      await setFormula(tx, formula)
      await tx.query(
        `update ${table} set ${change} where ctid = (
          select ctid from ${table}
          where lockid = $1 and amounts[1] <> amounts[2] and amounts[1] <> withhelds[1] limit 1)`,
        [lockid],
      )
    })
    expect(changed).not.toBe(await hashAfter((tx) => setFormula(tx, formula)))
  })

  test('of every former formula is still worked out, and differs from that of another', async () => {
    const hashes = []
    for (const formula of [1, 2, 3, 4]) hashes.push(await hashAfter((tx) => setFormula(tx, formula)))
    expect(new Set(hashes).size).toBe(4)
    expect(hashes[3]).toBe(await snapshotHash(portal.db, lockid))
  })
})
