import type { FindingKind } from '../../../schemas/api/months/months.ts'
import type { Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import { blockMonthLock } from '../../money/months.ts'
import type { EntityHooks } from './hook.ts'

/** SQL conditions on a terminal t: its agent, and the agent of its merchant, is in the row scope `scope`. */
const agentSeen = (scope: string) => `t.masteragentid = any (${scope})`
const merchantSeen = (scope: string) =>
  `exists (select from merchant m where m.id = t.merchantid and m.masteragentid = any (${scope}))`
const orAll = (scope: string, condition: string) => `(${scope}::int[] is null or ${condition})`

/** Fields with prices: left out of a terminal that also belongs to another branch (equipment 7). */
const prices = ['cost', 'soldfor', 'paidsofar', 'paymentterms', 'paidstatus']

/** The kind of a lock's finding about a terminal that has neither an agent nor a merchant (months 10). */
const ofNobody: FindingKind = 'terminal-without-agent'

/**
 * Moves a restored terminal to the first open month, if its month was locked while the terminal was deleted,
 * so that it has not earned yet (money 12). A terminal that the lock paid keeps its month; so does one that a
 * lock found to belong to nobody, which earns for nobody, and one that was paid before the portal computed
 * equipment commission, whose month is January 1970.
 */
async function moveUnearnedMonth(tx: Tx, id: number) {
  const [paid] = await tx.query<{ month: string }>(
    `select paidmonth::text as month from equipment where id = $1 and paidmonth > date '1970-01-01'`,
    [id],
  )
  if (!paid) return
  await blockMonthLock(tx, paid.month)
  const [closed] = await tx.query<{ next: string }>(
    `select counting_month()::text as next
      where exists (select from month_lock where reopened_at is null and month >= $2)
        and not exists (select from month_lock l join locked_statement_line s on s.lockid = l.id
          where l.month = $2 and l.reopened_at is null and s.kind = 'equipment' and s.source = $1)
        and not exists (select from month_lock l join locked_finding f on f.lockid = l.id
          where l.month = $2 and f.key = $3)`,
    [id, paid.month, `${ofNobody}:${id}`],
  )
  if (!closed) return
  await blockMonthLock(tx, closed.next)
  await tx.query('update equipment set paidmonth = counting_month() where id = $1', [id])
}

export const equipment: EntityHooks = {
  /** A terminal is in the scope of its master agent, and of the agent of the merchant who has it. */
  scope: orAll('$1', `${agentSeen('$1')} or ${merchantSeen('$1')}`),
  read: {
    paidstatus: '(t.soldfor > 0 and t.paidsofar >= t.soldfor)',
    masteragentid: `case when ${orAll('$1', agentSeen('$1'))} then t.masteragentid end`,
    merchantid: `case when ${orAll('$1', merchantSeen('$1'))} then t.merchantid end`,
    shared: `not ${orAll(
      '$1',
      `coalesce(${agentSeen('$1')}, true) and (t.merchantid is null or ${merchantSeen('$1')})`,
    )}`,
  },
  present: (row) =>
    row.shared
      ? (Object.fromEntries(Object.entries(row).filter(([field]) => !prices.includes(field))) as typeof row)
      : row,

  /**
   * Refuses the serial number of another terminal (equipment 5). Names the record and its holder to those
   * who see both its agent and its merchant.
   */
  async beforeWrite({ tx, caller, body, row }) {
    if (typeof body.serialnumber !== 'string') return
    const [other] = await tx.query<{ id: number; model: string; holder: string | null; seen: boolean }>(
      `select t.id, t.model, coalesce(c.xmid || ' - ' || c.dba, a.displayid || ' - ' || a.name) as holder,
          ${orAll(
            '$3',
            `(t.masteragentid is null or ${agentSeen('$3')})
            and (t.merchantid is null or ${merchantSeen('$3')})
            and (t.masteragentid is not null or t.merchantid is not null)`,
          )} as seen
        from equipment t left join merchant c on c.id = t.merchantid
          left join master_agent a on a.id = t.masteragentid
        where lower(t.serialnumber) = lower($1) and t.id <> $2`,
      [body.serialnumber, row?.id ?? 0, caller.scope],
    )
    if (!other) return
    const record = `record ${other.id}${other.holder ? `, ${other.holder}` : ''}`
    const message = `This Serial Number is already taken${other.seen ? ` by ${other.model} (${record})` : ''}`
    throw new HttpError(409, message, { fields: { serialnumber: message } })
  },

  /** Puts the month in which a paid terminal earned into the audit, for checks after the deletion. */
  async beforeDelete({ tx, row }) {
    if (row.shared)
      throw new HttpError(
        403,
        'Another branch has a part in this terminal: somebody who sees both must delete it',
      )
    const [stored] = await tx.query<{ paidmonth: string | null }>(
      'select paidmonth::text as paidmonth from equipment where id = $1',
      [row.id],
    )
    return stored?.paidmonth ? { paidmonth: stored.paidmonth } : {}
  },
  afterRestore: ({ tx, row }) => moveUnearnedMonth(tx, row.id),
}
