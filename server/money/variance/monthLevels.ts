import type { VarianceLevel } from '../../../schemas/api/months/variance.ts'
import type { Sql, Statement } from '../../db/db.ts'
import { agentMonthCtes, copiedAgentCte, merchantCtes, merchantRelation } from '../monthRecords.ts'
import { currentLock, reopenedLock } from '../months.ts'
import { openMonthSource } from '../monthSource.ts'

/**
 * One month at one level. `rows` answers (key, label, name, amount, hasincome, agentid, percent, flat): label
 * is what people know it by; amount is the net of a merchant or a processor, and what an agent earns by own
 * lines and overrides; agentid is the agent of a merchant and the parent of an agent; percent and flat are
 * the rates of a merchant's agent, and those of an agent. `agents` answers (id, displayid, name).
 */
type MonthLevel = { state: 'open' | 'locked'; rows: Statement; agents: Statement }

/** A row of a file counts as income unless it brings nothing (variance 2). */
export const hasIncomeSql = 'bool_or(r.income <> 0 or r.net <> 0)'

const sumsOf = (key: string, others: string, from: string) => `
  select ${key} as key, ${others} sum(r.net) as amount, ${hasIncomeSql} as hasincome
  from ${from} group by ${key}`

const processorRows = (from: string) => `
  select key, key as label, key as name, amount, hasincome, null::int as agentid, null::numeric as percent,
    null::numeric as flat
  from (${sumsOf('r.processor', '', from)}) s`

const agentRows = (statements: string, agents: string) => `
  select s.masteragentid::text as key, s.displayid as label, s.name,
    s.own + s.override as amount, s.own + s.override <> 0 as hasincome, s.parentid as agentid, a.percent,
    a.flat
  from ${statements} s left join ${agents} a on a.id = s.masteragentid`

const lockedRows: Record<VarianceLevel, string> = {
  processor: processorRows('locked_merchant r where r.lockid = $1::int'),
  agent: `
  with ${copiedAgentCte('$1')}
  ${agentRows('(select * from locked_statement where lockid = $1)', 'copied_agent')}`,
  merchant: `
  with ${copiedAgentCte('$1')}
  select s.key, s.key as label, s.name, s.amount, s.hasincome, s.agentid, a.percent, a.flat
  from (${sumsOf(
    'r.xmid',
    'min(r.dba) as name, min(r.masteragentid) as agentid,',
    'locked_merchant r where r.lockid = $1',
  )}) s left join copied_agent a on a.id = s.agentid`,
}
const lockedAgents = `
  with ${copiedAgentCte('$1')} select id, displayid, name from copied_agent`

const openMerchants = (base: string | null) => `
  with recursive ${agentMonthCtes(base)}, ${merchantCtes(base)}
    summed as (${sumsOf('r.xmid', 'min(r.dba) as name,', 'residual r where r.month = $1')})
  select s.key, s.key as label, coalesce(m.dba, s.name) as name, s.amount, s.hasincome,
    m.masteragentid as agentid, a.percent, a.flat
  from summed s left join ${merchantRelation(base)} m on m.xmid = s.key
    left join agent_month a on a.id = m.masteragentid`

/** A month, an ISO first day, from its lock, else from its records as they count now (variance 1). */
export async function monthLevel(sql: Sql, month: string, level: VarianceLevel): Promise<MonthLevel> {
  const lock = await currentLock(sql, month)
  if (lock) {
    const values = [lock.id]
    return {
      state: 'locked',
      rows: { sql: lockedRows[level], values },
      agents: { sql: lockedAgents, values },
    }
  }
  const base = await reopenedLock(sql, month)
  const [values, baseParam] = base ? [[month, base.id], '$2'] : [[month], null]
  const agents = {
    sql: `with recursive ${agentMonthCtes(baseParam)} select id, displayid, name from agent_month`,
    values,
  }
  return { state: 'open', agents, rows: await openRows(sql, { month, level, values, base: baseParam }) }
}

type OpenLevel = { month: string; level: VarianceLevel; values: unknown[]; base: string | null }

async function openRows(sql: Sql, { month, level, values, base }: OpenLevel): Promise<Statement> {
  if (level === 'merchant') return { sql: openMerchants(base), values }
  if (level === 'processor')
    return { sql: processorRows('residual r where r.month = $1::date'), values: [month] }
  const source = await openMonthSource(sql, month)
  return {
    sql: `with recursive ${source.ctes} ${agentRows('earned', 'agent_month')}`,
    values: source.values,
  }
}

/**
 * Makes whole statements parts of one: `part` answers one in parentheses, its placeholders numbered after
 * those of the parts before, and `values` are the parameters of all. Names of common table expressions stay
 * inside of their part.
 */
export function statementParts() {
  const values: unknown[] = []
  const part = ({ sql, values: own }: Statement) => {
    const first = values.length
    values.push(...own)
    return `(${sql.replace(/\$(\d+)/g, (_, number) => `$${first + Number(number)}`)})`
  }
  const bind = (value: unknown) => `$${values.push(value)}`
  return { values, part, bind }
}
