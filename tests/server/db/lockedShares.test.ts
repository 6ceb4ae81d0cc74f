import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { snapshotHash } from '../../../server/money/snapshot.ts'
import { formerDatabase, type FormerDatabase } from './formerDatabase.ts'

let former: FormerDatabase
beforeAll(async () => {
  former = await formerDatabase('040')
})
afterAll(() => former.close())

const sha256 = (text: string | Buffer) => createHash('sha256').update(text)
const digestOf = (pieces: readonly string[]) =>
  sha256(Buffer.concat(pieces.map((piece) => sha256(piece).digest()))).digest('hex')

/** The texts of the rows of lock 1 in a table, joined by `piece` and in the order of the hash. */
async function piecesOf(table: string, columns: string, order: string, piece: string): Promise<string[]> {
  const rows = await former.db.query<{ text: string }>(
    `select string_agg(row(${columns})::text, '' order by ${order}) as text
      from ${table} where lockid = 1 group by ${piece} order by ${piece}`,
  )
  return rows.map(({ text }) => text)
}

/** The hash of lock 1, of which merchants and lines of pay alone were copied, put together piece by piece. */
async function expectedHash(pay: readonly string[]): Promise<string> {
  const [head] = await former.db.query<{ text: string }>(
    'select jsonb_build_array(month, terms, inputs, rates)::text as text from month_lock where id = 1',
  )
  const merchants = await piecesOf(
    'locked_merchant',
    `line, xmid, dba, masteragentid, accountstatus, processor, txncount, sales, income, expense, net, house,
      isknown, date_closed`,
    'line',
    'line / 1000',
  )
  const empty = Array<string>(6).fill(digestOf([]))
  return sha256([head!.text, digestOf(merchants), digestOf(pay), ...empty].join('\n')).digest('hex')
}

const paid = () =>
  former.db.query(
    `select lockid, masteragentid, fromagentid, line, percent::text, flat::text, amount::text, withheld::text
      from locked_pay order by lockid, masteragentid, line`,
  )

test('a lock of the third formula keeps its lines of pay and its hash when the next one is made', async () => {
  const { db } = former
  const addLock = async () => {
    const [lock] = await db.query<{ id: number; formula: number }>(
      `insert into month_lock (month, version, hash, username, reopened_at, reopened_by, reason)
        select '2026-05-01', count(*) + 1, '', 'ann', now(), 'ann', 'x' from month_lock
        returning id, formula`,
    )
    return lock
  }
  expect(await addLock()).toEqual({ id: 1, formula: 3 })
  // The lines on both sides of a thousand, not in their order, none of the thousand in between, and one that
  // does not begin its thousand.
  await db.query(
    `insert into locked_merchant (lockid, line, xmid, dba, processor, txncount, sales, income, expense, net,
        house, isknown)
      select 1, n, 'M' || n, 'Shop', 'Quartz', n, n, n, 0, n, n * 0.3, true
      from unnest(array[3000, 5001, 1000, 999, 1, 1001]) n`,
  )
  await db.query(
    `insert into locked_pay_part (lockid, masteragentid, part, lines, fromagentids, percents, flats, amounts,
        withhelds)
      values (1, 7, 0, '{1,999}', '{null,8}', '{50,2.5}', '{0.30,0}', '{12.30,0.01}', '{0,1.00}'),
        (1, 7, 1, '{100000}', '{null}', '{50}', '{0}', '{-3.00}', '{0}')`,
  )
  const parts = 'masteragentid, part, lines, fromagentids, percents, flats, amounts, withhelds'
  const before = {
    paid: await paid(),
    hash: await expectedHash(await piecesOf('locked_pay_part', parts, 'part', 'masteragentid, part')),
  }

  await former.update()
  expect(await addLock()).toEqual({ id: 2, formula: 4 })
  await db.query(
    `insert into locked_share (lockid, masteragentid, origin, part, fromagentid, percent, lines, flats,
        amounts, withhelds)
      values (2, 7, 7, 0, null, 50, '{1,999}', '{30,0}', '{1230,0}', '{0,-100}'),
        (2, 7, 8, 0, 8, 2.5, '{3}', null, '{1}', null)`,
  )
  const line = { lockid: 2, masteragentid: 7, fromagentid: null, percent: '50.0000' }
  expect(await paid()).toEqual([
    ...before.paid,
    { ...line, line: 1, flat: '0.30', amount: '12.30', withheld: '0.00' },
    {
      ...line,
      line: 3,
      fromagentid: 8,
      percent: '2.5000',
      flat: '0.00',
      amount: '0.01',
      withheld: '0.00',
    },
    { ...line, line: 999, flat: '0.00', amount: '0.00', withheld: '-1.00' },
  ])
  expect(await snapshotHash(db, 1)).toBe(before.hash)
})
