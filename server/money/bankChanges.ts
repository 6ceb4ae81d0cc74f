import { accountFields, type AccountField } from '../../schemas/entities/masterAgent.ts'
import type { Sql, Tx } from '../db/db.ts'
import { decrypt, encrypt, maskSecret } from '../db/encryption.ts'

/** The account a master agent is paid to; `bankaccountnumber` is in clear, '' is none (agents 10). */
export type PayAccount = {
  payeeid: number | null
  routingnumber: string
  bankaccountnumber: string
  isbankaccounttypechecking: boolean
  isbankaccounttypebusiness: boolean
}
/** A change that waits for a decision. `former` is the account that was in force before it. */
export type UndecidedChange = {
  id: number
  /** User names: everybody who entered something since `former` was in force. */
  authors: string[]
  fields: AccountField[]
  entered: PayAccount
  former: PayAccount
}
type Decision = 'confirmed' | 'rejected' | 'withdrawn' | 'replaced'

/** The account of an agent that never had one. */
const noAccount: PayAccount = {
  payeeid: null,
  routingnumber: '',
  bankaccountnumber: '',
  isbankaccounttypechecking: true,
  isbankaccounttypebusiness: true,
}
/** The columns of bank_change by field; those of the former account have 'former' in front. */
const columns: Record<AccountField, string> = {
  payeeid: 'payeeid',
  routingnumber: 'routingnumber',
  bankaccountnumber: 'bankaccountnumber',
  isbankaccounttypechecking: 'ischecking',
  isbankaccounttypebusiness: 'isbusiness',
}

/** The account in a record as the API shows it in full; what the record lacks is taken from `missing`. */
export const accountOf = (record: Record<string, unknown>, missing: PayAccount = noAccount): PayAccount =>
  Object.fromEntries(
    accountFields.map((field) => [field, record[field] === undefined ? missing[field] : record[field]]),
  ) as PayAccount

/** That of master_agent, so that both tables hold the same kind of value (permissions 10). */
const encryptionContext = (masteragentid: number) => `master_agent.bankaccountnumber.${masteragentid}`

/** The whole account number of an agent, from any table that copied it encrypted; '' when there is none. */
export const decryptAccount = (secret: Buffer, masteragentid: number, encrypted: Buffer | null): string =>
  decrypt(secret, encrypted, encryptionContext(masteragentid))

/** The last four digits of encrypted accounts of an agent, each account once; '' when there is none. */
export const maskAccounts = (secret: Buffer, masteragentid: number, encrypted: readonly (Buffer | null)[]) =>
  [...new Set(encrypted.map((it) => maskSecret(decryptAccount(secret, masteragentid, it))))]
    .filter((it) => it !== '')
    .join(', ')

/** The change of an agent's account that waits for a decision; null when its account is in force. */
export async function undecidedChange(
  sql: Sql,
  secret: Buffer,
  masteragentid: number,
): Promise<UndecidedChange | null> {
  const [row] = await sql.query('select * from bank_change where masteragentid = $1 and decision is null', [
    masteragentid,
  ])
  if (!row) return null
  const read = (prefix: string) =>
    Object.fromEntries(
      accountFields.map((field) => {
        const value = row[prefix + columns[field]]
        return field === 'bankaccountnumber'
          ? [field, decryptAccount(secret, masteragentid, value as Buffer | null)]
          : [field, value]
      }),
    ) as PayAccount
  const { id, authors, fields } = row as Pick<UndecidedChange, 'id' | 'authors' | 'fields'>
  return { id, authors, fields, entered: read(''), former: read('former') }
}

/**
 * Ends a change. `reason` says how it was confirmed or why not, without account numbers. The time is that of
 * the statement: a month that was locked while the transaction waited was locked before the decision.
 */
export const decideChange = (
  tx: Tx,
  id: number,
  { decision, username, reason = '' }: { decision: Decision; username: string; reason?: string },
) =>
  tx.query(
    `update bank_change set decision = $2, decided_by = $3, decided_at = clock_timestamp(), reason = $4
      where id = $1`,
    [id, decision, username, reason],
  )

/** `source` says where the account comes from, unless the person typed it. */
export type AccountEntry = {
  masteragentid: number
  username: string
  before: PayAccount
  entered: PayAccount
  source?: string
}

/**
 * Records that a person entered an account in place of `before`, in the transaction that stores it: it waits
 * for another person, or ends what waits when the former account was retyped (agents 10). Call it with the
 * agent's record locked.
 */
export async function recordAccountEntry(tx: Tx, secret: Buffer, entry: AccountEntry): Promise<void> {
  const { masteragentid, username, before, entered, source = '' } = entry
  const undecided = await undecidedChange(tx, secret, masteragentid)
  const former = undecided?.former ?? before
  const fields = accountFields.filter((field) => entered[field] !== former[field])
  const decision = fields.length > 0 ? 'replaced' : 'withdrawn'
  if (undecided) await decideChange(tx, undecided.id, { decision, username })
  if (fields.length === 0) return
  const values = (account: PayAccount) =>
    accountFields.map((field) =>
      field === 'bankaccountnumber'
        ? encrypt(secret, account[field], encryptionContext(masteragentid))
        : account[field],
    )
  const names = accountFields.map((field) => columns[field])
  const stored = {
    masteragentid,
    fields,
    authors: [...new Set([...(undecided?.authors ?? []), username])],
    entered_by: username,
    source,
  }
  const into = [...Object.keys(stored), ...names, ...names.map((name) => `former${name}`)]
  await tx.query(
    `insert into bank_change (${into.join(', ')}) values (${into.map((_, at) => `$${at + 1}`).join(', ')})`,
    [...Object.values(stored), ...values(entered), ...values(former)],
  )
}

/** Writes an account into the agent's record. */
export const writeAccount = (tx: Tx, secret: Buffer, masteragentid: number, account: PayAccount) =>
  tx.query(
    `update master_agent set payeeid = $2, routingnumber = $3, bankaccountnumber = $4,
      isbankaccounttypechecking = $5, isbankaccounttypebusiness = $6 where id = $1`,
    [
      masteragentid,
      account.payeeid,
      account.routingnumber,
      encrypt(secret, account.bankaccountnumber, encryptionContext(masteragentid)),
      account.isbankaccounttypechecking,
      account.isbankaccounttypebusiness,
    ],
  )

/** The account in the agent's record, which may be pending; null when there is no such agent. */
export async function readAccount(
  sql: Sql,
  secret: Buffer,
  masteragentid: number,
): Promise<PayAccount | null> {
  const [row] = await sql.query<Omit<PayAccount, 'bankaccountnumber'> & { encrypted: Buffer | null }>(
    `select payeeid, routingnumber, bankaccountnumber as encrypted, isbankaccounttypechecking,
        isbankaccounttypebusiness
      from master_agent where id = $1`,
    [masteragentid],
  )
  if (!row) return null
  const { encrypted, ...account } = row
  return { ...account, bankaccountnumber: decryptAccount(secret, masteragentid, encrypted) }
}

/** SQL relation (entered_by, entered_at): what was entered since the account before a change was in force. */
export const entriesSql = (change: string) => `(
  select e.entered_by, e.entered_at from bank_change e
  where e.masteragentid = ${change}.masteragentid and e.id <= ${change}.id and not exists (
    select from bank_change d where d.masteragentid = e.masteragentid and d.id >= e.id and d.id < ${change}.id
      and d.decision <> 'replaced'))`
