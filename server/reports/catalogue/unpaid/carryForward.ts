import { everyone } from '../../../../schemas/permissions.ts'
import type { Sql } from '../../../db/db.ts'
import { carryParts } from '../../../money/copies/carry.ts'
import { copiesOfLock, keepsCarryMonths } from '../../../money/copies/lockCopies.ts'
import { monthName } from '../../../money/months.ts'
import { monthSource, type MonthSource } from '../../../money/monthSource.ts'
import { monthInput } from '../../engine/monthInput.ts'
import { carryNotes, isPublishedSql } from '../../engine/publishedMonths.ts'
import {
  agentColumns,
  linked,
  money,
  monthColumn,
  placeholders,
  defineReport,
  statementPath,
} from '../../engine/report.ts'

/** From which months comes what is carried into a month, for each agent (reports 35, money 16). */
export const carryForward = defineReport({
  id: 'carry-forward',
  name: 'Carry Forward',
  group: 'Pay of Agents',
  description: 'From which months comes what is carried into a month, for each agent.',
  figure: { column: 'amount', words: 'Carried into the month' },
  sections: ['displayid', 'name'],
  allow: everyone,
  publishedOnly: true,
  inputs: { month: monthInput },
  columns: [
    ...agentColumns,
    linked(monthColumn('month', 'From Month'), 'statement'),
    money('earned', 'Earned', 'sum'),
    money('paid', 'Paid', 'sum'),
    money('amount', 'Carried', 'sum'),
  ],
  async query({ sql, inputs: { month }, scope }) {
    const source = await monthSource(sql, month, { agents: scope })
    const { values, bind } = placeholders(source.values)
    const parts = await carryParts(sql, source, { month, bind })
    const rows = `
      with recursive ${source.ctes}, ${parts}
      select s.displayid, s.name, to_char(c.month, 'YYYY-MM') as month, c.earned, c.paid, c.amount,
        case when ${isPublishedSql(bind(scope), 'c.month')}
          then ${statementPath('c.month', 's.masteragentid')} end as statement
      from carry_part c join statement s on s.masteragentid = c.masteragentid
      order by s.displayid, s.masteragentid, c.month`
    return { sql: rows, values, lock: source.lock, notes: await partNotes(sql, source) }
  },
})

async function partNotes(sql: Sql, source: MonthSource): Promise<string[]> {
  const { lock, carryUnknownUntil } = source
  if (carryUnknownUntil !== undefined) return carryNotes(source)
  if (!lock) return ['Paid counts what the newest payout run still pays.']
  return keepsCarryMonths(await copiesOfLock(sql, lock))
    ? ['Paid is what was paid and had not come back when the month was locked.']
    : [`${monthName(lock.month)} was locked before the portal kept the months of what is carried.`]
}
