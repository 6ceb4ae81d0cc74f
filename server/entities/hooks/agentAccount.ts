import { portalName } from '../../../schemas/constants.ts'
import type { Row } from '../../../schemas/entities/entity.ts'
import {
  accountFields,
  decidesAccounts,
  isOwnPay,
  titlesOfAccount,
  type AccountField,
  type BankPending,
} from '../../../schemas/entities/masterAgent.ts'
import { reasonOf } from '../../../schemas/permissions.ts'
import { nameTakenSql } from '../../accounts/userActions.ts'
import type { Sql, Tx } from '../../db/db.ts'
import type { Caller } from '../../http/call.ts'
import { HttpError } from '../../http/errors.ts'
import type { Email } from '../../mail/mailer.ts'
import { accountOf, entriesSql, recordAccountEntry, type AccountEntry } from '../../money/bankChanges.ts'
import type { EntitySettings, EntityWrite } from './hook.ts'

/** SQL: the names of the authors of the change `c` that no other user has had since. */
const presentAuthorsSql = `(select coalesce(jsonb_agg(distinct p.entered_by), '[]')
          from ${entriesSql('c')} p where p.entered_at > ${nameTakenSql('p.entered_by')})`

/** SQL that reads what `presentPending` makes the field bankpending of. */
export const pendingExpression = `(select jsonb_build_object('by', c.entered_by,
        'at', floor(extract(epoch from c.entered_at))::bigint, 'fields', c.fields, 'source', c.source,
        'authors', ${presentAuthorsSql})
      from bank_change c where c.masteragentid = t.id and c.decision is null)`

/** SQL of the field payhold: the hold of the payee that is ended next (agents 14). */
export const payeeHoldExpression = `(select jsonb_build_object('by', h.username,
        'at', floor(extract(epoch from h.at))::bigint, 'reason', h.reason)
      from active_hold h where h.masteragentid = t.id and not h.isstatement order by h.id desc limit 1)`

/** Records a changed account, and writes to the agent's users (agents 10, agents 12). */
export async function storeAccount({
  tx,
  body,
  full,
  id,
  caller,
  secret,
  emails,
}: EntityWrite & { id: number }) {
  const changed = accountFields.filter((field) => field in body)
  if (changed.length === 0) return
  const before = accountOf(full ?? {})
  const entry = {
    masteragentid: id,
    username: caller.username,
    before,
    entered: accountOf(body, before),
  }
  await recordAccountEntry(tx, secret, entry)
  emails.push(...(await accountEmails(tx, entry, changed)))
}

/** The emails to the users of an agent about its changed account (agents 12). */
export async function accountEmails(
  sql: Sql,
  {
    masteragentid,
    username: author,
    source = '',
  }: Pick<AccountEntry, 'masteragentid' | 'username' | 'source'>,
  changed: readonly AccountField[],
): Promise<Email[]> {
  const [agent] = await sql.query<{ name: string }>(
    'select displayid || $2 || name as name from master_agent where id = $1',
    [masteragentid, ' - '],
  )
  const by = source === '' ? author : `${author}, by ${source}`
  return (await usersOf(sql, masteragentid)).map(({ to, username }) => ({
    to,
    ...accountChangedEmail(username, agent!.name, by, changed),
  }))
}

const usersOf = (sql: Sql, masteragentid: number) =>
  sql.query<{ to: string; username: string }>(
    `select email as to, username from portal_user
      where masteragentid = $1 and email is not null order by id`,
    [masteragentid],
  )

const accountChangedEmail = (
  username: string,
  agent: string,
  author: string,
  changed: readonly AccountField[],
) => ({
  subject: `The bank account of ${agent} was changed`,
  text:
    `Hello ${username},\n\nthe account to which ${agent} is paid was changed in the ${portalName} ` +
    `by ${author}: ${titlesOfAccount(changed)}.\n` +
    'Nothing is paid to a changed account until another person has confirmed it.\n' +
    'If you did not ask for this, please tell an administrator at once.\n',
})

type StoredPending = Omit<BankPending, 'canconfirm'> & { authors: string[] }

/** Says whether this caller may confirm a pending account, or why not (agents 11). */
export function presentPending(row: Row, caller: Caller, { fourEyes }: EntitySettings): Row {
  const stored = row.bankpending as StoredPending | null
  if (!stored) return row
  const { authors, ...pending } = stored
  const isAuthor = authors.includes(caller.username)
  const isOwnPayee = isOwnPay(row) && pending.fields.includes('payeeid')
  const canconfirm = !decidesAccounts(caller)
    ? reasonOf(decidesAccounts, caller)
    : isOwnPayee
      ? 'This is your own agent or one above it: somebody else must confirm its payee'
      : isAuthor && fourEyes
        ? 'You entered this account: another person must confirm it'
        : true
  return { ...row, bankpending: { ...pending, canconfirm } satisfies BankPending }
}

/** Refuses to delete the former payee of an account that may still be rejected (agents 11). */
export async function refuseFormerPayee(tx: Tx, id: number) {
  const [change] = await tx.query<{ displayid: string }>(
    `select a.displayid from bank_change c join master_agent a on a.id = c.masteragentid
      where c.decision is null and c.formerpayeeid = $1 and a.id <> $1 order by a.id limit 1`,
    [id],
  )
  if (change)
    throw new HttpError(
      409,
      'This master agent cannot be deleted: ' +
        `it is the confirmed payee of ${change.displayid}, whose account is pending`,
    )
}
