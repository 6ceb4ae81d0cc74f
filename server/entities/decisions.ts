import { confirmation, refusal } from '../../schemas/api/decisions.ts'
import { decisionText } from '../../schemas/constants.ts'
import type { Row } from '../../schemas/entities/entity.ts'
import { masterAgent, type BankPending } from '../../schemas/entities/masterAgent.ts'
import { dependenceEmails, type UserAction } from '../accounts/userActions.ts'
import { audit } from '../db/audit.ts'
import type { Sql, Tx } from '../db/db.ts'
import { maskSecret } from '../db/encryption.ts'
import type { Handlers } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { parseId } from '../http/ids.ts'
import { bodyCheck } from '../http/schemas.ts'
import { baseVersion } from '../http/version.ts'
import { transactionWithEmails } from '../mail/emails.ts'
import {
  decideChange,
  entriesSql,
  undecidedChange,
  writeAccount,
  type PayAccount,
  type UndecidedChange,
} from '../money/bankChanges.ts'
import { serializePayouts } from '../money/months.ts'
import type { EntityOptions } from './handlers.ts'
import { entityRecords } from './records.ts'
import { missingVersionError, staleError, type RecordCall } from './write.ts'

const checkConfirmation = bodyCheck(confirmation)
const checkRefusal = bodyCheck(refusal)

/** Throws an HttpError (422) when the text without blanks around it is too short. */
export function decisionReason(field: string, title: string, text: string): string {
  const trimmed = text.trim()
  const message = `${title} needs at least ${decisionText.min} characters`
  if (trimmed.length < decisionText.min) throw new HttpError(422, message, { fields: { [field]: message } })
  return trimmed
}

/** A text in which account numbers are shown by their last four digits. */
const withoutNumbers = (text: string, ...accounts: PayAccount[]): string =>
  accounts
    .map(({ bankaccountnumber }) => bankaccountnumber)
    .filter((number) => number !== '')
    .reduce((masked, number) => masked.replaceAll(number, maskSecret(number)), text)

/** Throws an HttpError (409) when the former payee was deleted meanwhile. */
async function refuseMissingPayee(sql: Sql, { payeeid }: PayAccount) {
  if (payeeid === null) return
  const [found] = await sql.query('select 1 from master_agent where id = $1', [payeeid])
  if (!found)
    throw new HttpError(409, 'The former payee does not exist any more: enter another account instead')
}

/**
 * The emails to administrators when one of the authors of an account and who confirmed it may be one person
 * (payouts 12); none when they are independent.
 */
async function fourEyesEmails(sql: Sql, agent: number, { id, authors }: UndecidedChange, username: string) {
  const [row] = await sql.query<{ name: string }>(
    `select displayid || ' - ' || name as name from master_agent where id = $1`,
    [agent],
  )
  const where = `the bank account of ${row!.name}`
  const what = `${authors.join(', ')} entered ${where}, and ${username} confirmed it`
  const first = await sql.query<UserAction>(
    `select p.entered_by as username, p.entered_at::text as at
      from bank_change c cross join lateral ${entriesSql('c')} p where c.id = $1 order by p.entered_at`,
    [id],
  )
  return dependenceEmails(sql, { where, what, first, second: username })
}

type Step = { tx: Tx; row: Row; pending: UndecidedChange }
/**
 * What a decision writes: `text` is written to the audit under the name `field` and to the change, `apply`
 * stores what else follows.
 */
type Verdict = {
  decision: 'confirmed' | 'rejected'
  field: 'how' | 'reason'
  text: string
  apply?: () => Promise<unknown>
}

/**
 * Confirms and rejects changed accounts (agents 11). Both answer the record, and throw an HttpError: 404, 409
 * when nothing waits, 422 for the text; to confirm, also 400 without a version, 409 when it moved, and 403
 * for an author.
 */
export const accountDecisions = ({
  db,
  secret,
  settings,
  mailer,
}: EntityOptions): Pick<Handlers['decisions']['masteragent'], 'confirm' | 'reject'> => {
  const records = entityRecords(masterAgent, secret, settings)

  const decide = (call: RecordCall, decideOn: (step: Step) => Promise<Verdict> | Verdict): Promise<Row> =>
    transactionWithEmails(db, mailer, call.request.log, async (tx, emails) => {
      const { caller, address } = call
      const id = parseId(call.params.id, masterAgent.noun)
      await records.lock(tx, id)
      await serializePayouts(tx)
      const row = await records.find(tx, caller, id)
      const pending = await undecidedChange(tx, secret, id)
      if (!pending) throw new HttpError(409, 'The account of this master agent is not pending')
      const { decision, field, text, apply } = await decideOn({ tx, row, pending })
      const reason = withoutNumbers(text, pending.entered, pending.former)
      await decideChange(tx, pending.id, { decision, username: caller.username, reason })
      await apply?.()
      await tx.query('update master_agent set version = version + 1 where id = $1', [id])
      await audit(tx, {
        username: caller.username,
        address,
        action: decision === 'confirmed' ? 'confirm' : 'reject',
        entity: masterAgent.name,
        entityid: id,
        before: { fields: pending.fields, authors: pending.authors },
        after: { [field]: reason },
      })
      if (decision === 'confirmed') emails.push(...(await fourEyesEmails(tx, id, pending, caller.username)))
      return records.find(tx, caller, id)
    })

  return {
    confirm: (call) =>
      decide(call, ({ row }) => {
        const { how, version: sent } = checkConfirmation(call.body)
        const text = decisionReason('how', 'How it was confirmed', how)
        const version = baseVersion(call.request.headers['if-match'], sent)
        if (version === null) throw missingVersionError()
        if (row.version !== version) throw staleError(masterAgent)
        const { canconfirm } = row.bankpending as BankPending
        if (canconfirm !== true) throw new HttpError(403, canconfirm)
        return { decision: 'confirmed', field: 'how', text }
      }),
    reject: (call) =>
      decide(call, async ({ tx, row, pending: { former } }) => {
        const text = decisionReason('reason', 'Reason', checkRefusal(call.body).reason)
        await refuseMissingPayee(tx, former)
        return {
          decision: 'rejected',
          field: 'reason',
          text,
          apply: () => writeAccount(tx, secret, row.id, former),
        }
      }),
  }
}
