import { settlesPayouts } from '../../../schemas/screenRules.ts'
import type { Tx } from '../../db/db.ts'
import { merchantsOfStatusSql } from '../../db/merchantCount.ts'
import { HttpError } from '../../http/errors.ts'
import { monthName } from '../../money/months.ts'
import { takenAgentSql } from '../../money/reopening/takenAgents.ts'
import {
  payeeHoldExpression,
  pendingExpression,
  presentPending,
  refuseFormerPayee,
  storeAccount,
} from './agentAccount.ts'
import { resolveRateMonth, restatedRates, storeRates } from './agentRates.ts'
import type { EntityHooks, EntityWrite } from './hook.ts'

const merchantCount = (status: number) => `(${merchantsOfStatusSql('t.id', status)})`

/** Refuses a parent that is below the agent itself (agents 3). */
async function refuseCycle({ tx, body, row }: EntityWrite) {
  if (!row || typeof body.parentid !== 'number' || body.parentid === 0) return
  // Two parallel moves could each be allowed and make a cycle together.
  await tx.query('lock table master_agent in share row exclusive mode')
  // The chain ends with the agent itself: the agents above it may be outside the caller's branch.
  const chain = await tx.query<{ id: number; name: string }>(
    `with recursive up(id, name, parentid) as (
        select id, name, parentid from master_agent where id = $1
        union select a.id, a.name, a.parentid from up join master_agent a on a.id = up.parentid
          where up.id <> $2)
      select id, name from up`,
    [body.parentid, row.id],
  )
  if (!chain.some(({ id }) => id === row.id)) return
  const message = `Parent would be below its own child: ${chain
    .map(({ name }) => name)
    .slice(0, 6)
    .join(', which is below ')}`
  throw new HttpError(422, message, { fields: { parentid: message } })
}

/**
 * Refuses a caller with a row scope to create agents outside it, or an account that sees all (permissions 9).
 */
function refuseEscape({ caller, body }: EntityWrite) {
  if (caller.scope === null) return
  const parent = 'Parent must be one of your own branch'
  if (body.parentid === 0) throw new HttpError(422, parent, { fields: { parentid: parent } })
  const office = 'You may not make an office account: its users see all master agents'
  if (body.isofficeaccount === true) throw new HttpError(403, office, { fields: { isofficeaccount: office } })
}

/**
 * Refuses to delete an agent that stands above another one in the copies of the newest lock, or of a month
 * that is open again: its next version may pay it for a late file, and nobody could be paid.
 */
async function refuseCopiedParent(tx: Tx, id: number) {
  const [copied] = await tx.query<{ month: string; displayid: string }>(
    `select l.month, a.displayid from month_lock l join locked_agent a on a.lockid = l.id
      where a.parentid = $1 and not exists (
          select from month_lock n where n.month = l.month and n.version > l.version)
        and l.month >= coalesce((select max(month) from month_lock where reopened_at is null), l.month)
      order by l.month desc, a.displayid limit 1`,
    [id],
  )
  if (copied)
    throw new HttpError(
      409,
      'This master agent cannot be deleted: it is the parent of ' +
        `${copied.displayid} in ${monthName(copied.month)}, which was locked and may be opened again`,
    )
}

/** As what a reopened month took over an agent, by the kind of the record that was taken over. */
const takenAs: Readonly<Record<string, string>> = {
  agent: 'a parent',
  merchant: 'the agent of a merchant',
  terminal: 'the agent of a terminal',
}

/**
 * Refuses to delete an agent that a reopened month took over from the records: without it the chain of the
 * next version would end there, and neither the agent nor those above it would be paid.
 */
async function refuseTakenOver(tx: Tx, id: number) {
  const [taken] = await tx.query<{ month: string; entity: string }>(
    `select l.month, t.entity from month_lock l
      join (select distinct on (lockid, key) * from month_takeover order by lockid, key, id desc) t
        on t.lockid = l.id
      where l.reopened_at is not null
        and not exists (select from month_lock n where n.month = l.month and n.version > l.version)
        and ${takenAgentSql('t')} = $1
      order by l.month desc, t.id limit 1`,
    [id],
  )
  if (taken)
    throw new HttpError(
      409,
      `This master agent cannot be deleted: ${monthName(taken.month)}, which is open again, ` +
        `took it over as ${takenAs[taken.entity]}`,
    )
}

/**
 * Refuses to delete an agent that was paid as a payee, also for the statements of others: the records of who
 * confirmed its account and who held it would be deleted too, and a returned payment could not hold it.
 */
async function refusePaidPayee(tx: Tx, id: number) {
  const [paid] = await tx.query<{ month: string }>(
    `select r.month from payout_payment p join payout_release r on r.id = p.releaseid
      where p.payeeid = $1 order by r.month desc limit 1`,
    [id],
  )
  if (paid)
    throw new HttpError(
      409,
      `This master agent cannot be deleted: payments for ${monthName(paid.month)} went to it`,
    )
}

/** A row without an id, or with null, is a new one. */
type Subscription = { id?: number | null; amount: number; notes: string }

async function storeSubscriptions({ tx, body, id }: EntityWrite & { id: number }) {
  const rows = body.collectionSubscriptions as Subscription[] | undefined
  if (!rows) return
  const sentIds = rows.map((row) => row.id).filter((id) => typeof id === 'number')
  if (new Set(sentIds).size < sentIds.length)
    throw new HttpError(422, 'A collection subscription is there twice')
  await tx.query(
    'delete from collection_subscription where masteragentid = $1 and not id = any ($2::int[])',
    [id, sentIds],
  )
  for (const row of rows) {
    if (typeof row.id !== 'number')
      await tx.query(
        'insert into collection_subscription (masteragentid, amount, notes) values ($1, $2, $3)',
        [id, row.amount, row.notes],
      )
    else {
      const changed = await tx.query(
        `update collection_subscription set amount = $3, notes = $4
          where id = $1 and masteragentid = $2 returning id`,
        [row.id, id, row.amount, row.notes],
      )
      if (changed.length === 0)
        throw new HttpError(422, `Collection subscription ${row.id} does not belong to this master agent`)
    }
  }
}

export const masteragent: EntityHooks = {
  read: {
    ownchain: 'false',
    bankpending: pendingExpression,
    payhold: payeeHoldExpression,
    parentid: 'coalesce(t.parentid, 0)',
    activemerchantcount: merchantCount(2),
    inactivemerchantcount: merchantCount(3),
    collectionSubscriptions: `coalesce((select jsonb_agg(
        jsonb_build_object('id', s.id, 'amount', s.amount, 'notes', s.notes) order by s.id)
      from collection_subscription s where s.masteragentid = t.id), '[]')`,
  },
  present: (row, caller, settings) =>
    presentPending(
      {
        ...row,
        ownchain: caller.chain.includes(row.id),
        payhold: settlesPayouts(caller) ? row.payhold : null,
      },
      caller,
      settings,
    ),
  write: { parentid: (placeholder) => `nullif(${placeholder}::int, 0)` },
  restates: restatedRates,
  async beforeWrite(write) {
    refuseEscape(write)
    await refuseCycle(write)
    await resolveRateMonth(write)
  },
  /** Refuses to delete an agent with a statement in a locked month (agents 2). */
  async beforeDelete({ tx, row }) {
    const [paid] = await tx.query<{ month: string | null }>(
      `select max(l.month) as month from month_lock l
        where exists (select from locked_statement s
            where s.lockid = l.id and s.masteragentid = $1
              and (s.due <> 0 or s.merchants > 0 or s.own <> 0 or s.override <> 0
                or s.withheld <> 0 or s.equipment <> 0 or s.adjustments <> 0 or s.subscriptions <> 0))
          or exists (select from locked_statement_line n
            where n.lockid = l.id and n.masteragentid = $1 and n.amount <> 0)`,
      [row.id],
    )
    if (paid?.month)
      throw new HttpError(
        409,
        'This master agent cannot be deleted: ' +
          `it has a statement in ${monthName(paid.month)}, which was locked`,
      )
    await refusePaidPayee(tx, row.id)
    await refuseCopiedParent(tx, row.id)
    await refuseTakenOver(tx, row.id)
    await refuseFormerPayee(tx, row.id)
  },
  async afterWrite(write) {
    await storeSubscriptions(write)
    await storeRates(write)
    await storeAccount(write)
  },
}
