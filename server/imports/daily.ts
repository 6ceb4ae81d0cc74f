import { imports } from '../../schemas/imports.ts'
import { faultsOf, type Faults } from './faults.ts'
import type { Kind, Step } from './kinds.ts'
import { upsertOf } from './upsert.ts'

const it = imports.dailyvolume
const upsert = upsertOf(it, {
  table: 'daily_volume',
  key: ['xmid', 'batchnumber'],
  fixed: { volumedate: '$1::date' },
  standard: { currency: `'USD'` },
  stamp: { batchid: '$2::int' },
})

const check = async ({ sql, scope }: Step): Promise<Faults[]> => [
  await faultsOf<{ row: number; value: string; batchnumber: string | null; first: number }>(
    sql,
    'MID',
    `select s.row, s.xmid as value, s.batchnumber, twice.first from staging s
      join (select xmid, batchnumber, min(row) as first from staging group by xmid, batchnumber having count(*) > 1) twice
      on twice.xmid = s.xmid and twice.batchnumber is not distinct from s.batchnumber where s.row > twice.first`,
    [],
    ({ value, batchnumber, first }) =>
      batchnumber === null
        ? `MID ${value} is already in row ${first}; give each batch its Batch Number`
        : `Batch ${batchnumber} of MID ${value} is already in row ${first}`,
  ),
  await faultsOf(
    sql,
    'MID',
    `select s.row, s.xmid as value from staging s where $1::int[] is not null
      and not exists (select from merchant m where m.xmid = s.xmid and m.masteragentid = any($1))`,
    [scope],
    ({ value }) => `MID ${value} is no merchant of yours`,
  ),
]

const counted = (count: number, one: string, many: string) => `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

async function warn({ sql, date }: Step): Promise<string[]> {
  const [{ strangers, names }] = (await sql.query<{ strangers: number; names: string | null }>(
    `select count(*)::int as strangers, string_agg(xmid, ', ' order by row) filter (where place <= 5) as names from (
      select xmid, min(row) as row, row_number() over (order by min(row)) as place from staging s
      where not exists (select from merchant m where m.xmid = s.xmid) group by xmid) as unknown`,
  )) as [{ strangers: number; names: string | null }]
  const [{ elsewhere, first }] = (await sql.query<{ elsewhere: number; first: number | null }>(
    `select count(*)::int as elsewhere, min(row) as first from staging where batchdate <> extract(epoch from $1::date at time zone 'UTC')`,
    [date],
  )) as [{ elsewhere: number; first: number | null }]
  const warnings = []
  if (strangers > 0)
    warnings.push(`${counted(strangers, 'merchant is', 'merchants are')} not in the portfolio: ${names}${strangers > 5 ? ' …' : ''}`)
  if (elsewhere > 0)
    warnings.push(`${counted(elsewhere, 'row has', 'rows have')} another date in the file, first row ${first}; all are stored for ${date}`)
  return warnings
}

/**
 * A row without a batch number is the whole day of its merchant and replaces it; batches replace such a row. So a
 * day is never counted twice, and merchants the file does not name keep theirs.
 */
async function clear({ sql, date, batch }: Step): Promise<string[]> {
  const gone = `from daily_volume m where m.volumedate = $1::date
    and exists (select from staging s where s.xmid = m.xmid and (s.batchnumber is null or m.batchnumber is null))
    and not exists (select from staging s where s.xmid = m.xmid and s.batchnumber is not distinct from m.batchnumber)`
  const rows = await sql.query(batch === null ? `select m.xmid ${gone}` : `delete ${gone} returning m.xmid`, [date])
  return rows.length ? [`${counted(rows.length, 'earlier row of this day was', 'earlier rows of this day were')} replaced`] : []
}

/** The volume of one day, told apart by merchant and batch number. */
export const dailyVolume: Kind = {
  it,
  upsert,
  parameters: ({ date, batch }) => [date, batch],
  check,
  warn,
  clear,
  totals: { sales: 'salesamount', refunds: 'refundamount', net: 'netamount' },
}
