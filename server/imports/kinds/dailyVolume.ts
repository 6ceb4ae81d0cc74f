import { formatUsDate } from '../../../schemas/dates.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import { countNoun } from '../../../schemas/wording.ts'
import { collectFaults, type FaultList } from '../store/faults.ts'
import type { Importer } from '../store/importer.ts'
import { merchantsOutOfScope, unknownMids } from '../store/merchantChecks.ts'
import type { ImportStep } from '../store/step.ts'
import { removeRows } from '../store/undoLog.ts'
import { createUpsert } from '../store/upsert.ts'

const definition = imports.dailyvolume
const upsert = createUpsert(definition, {
  fixed: { volumedate: '$1::date' },
  stamp: { batchid: '$2::int' },
})

const checkRows = async (step: ImportStep): Promise<FaultList[]> => [
  await collectFaults<{ row: number; value: string; batchnumber: string | null; first: number }>(step, {
    column: 'MID',
    query: `select s.row, s.xmid as value, s.batchnumber, duplicate.first from staging s
      join (
        select xmid, batchnumber, min(row) as first from staging
        group by xmid, batchnumber having count(*) > 1
      ) duplicate on duplicate.xmid = s.xmid and duplicate.batchnumber is not distinct from s.batchnumber
      where s.row > duplicate.first`,
    describe: ({ value, batchnumber, first }) =>
      batchnumber === null
        ? `MID ${value} is already in row ${first}; give each batch its Batch Number`
        : `Batch ${batchnumber} of MID ${value} is already in row ${first}`,
  }),
  await collectFaults<{ row: number; value: string; mid: string; first: number }>(step, {
    column: 'Batch Number',
    query: `select s.row, '' as value, s.xmid as mid, batch.first from staging s
      join (select xmid, min(row) as first from staging where batchnumber is not null group by xmid) batch
        using (xmid)
      where s.batchnumber is null`,
    describe: ({ mid, first }) =>
      `Batch Number is blank, which means the whole day of MID ${mid}, but row ${first} is a batch of it; ` +
      'give each batch its Batch Number',
  }),
  await merchantsOutOfScope(step),
]

async function warn(step: ImportStep): Promise<string[]> {
  const { sql, date } = step
  const [found] = await sql.query<{ n: number; first: number | null; isLater: boolean }>(
    `select count(*)::int as n, min(row) as first, $1::date > current_date as "isLater"
      from staging where batchdate <> extract(epoch from $1::date::timestamp)`,
    [date],
  )
  const { n, first, isLater } = found!
  const day = formatUsDate(date!)
  const warnings = await unknownMids(step)
  if (isLater) warnings.push(`The day ${day} is later than today`)
  if (n > 0) {
    const rows = countNoun(n, 'row has', 'rows have')
    warnings.push(`${rows} another date in the file, first row ${first}; all are stored for ${day}`)
  }
  return warnings
}

/**
 * Removes what would be counted twice: a row without a batch number replaces the batches of its merchant's
 * day, and batches replace such a row (imports 30).
 */
async function removeReplacedRows(step: ImportStep): Promise<string[]> {
  const { rows: replaced } = await removeRows(step, {
    table: 'daily_volume',
    condition: `m.volumedate = $1::date
      and exists (
        select from staging s where s.xmid = m.xmid and (s.batchnumber is null or m.batchnumber is null))
      and not exists (
        select from staging s where s.xmid = m.xmid and s.batchnumber is not distinct from m.batchnumber)`,
    values: [step.date],
  })
  return replaced
    ? [`${countNoun(replaced, 'earlier row of this day was', 'earlier rows of this day were')} replaced`]
    : []
}

/** The volume of one day; its key is day, merchant and batch number (imports 30). */
export const dailyVolume: Importer = {
  definition,
  upsert,
  parameters: ({ date, batch }) => [date, batch],
  check: checkRows,
  warn,
  removeReplacedRows,
}
