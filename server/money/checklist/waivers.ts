import { createHash } from 'node:crypto'
import {
  findingKinds,
  minWaiverReason,
  singlyWaivedKind,
  type Finding,
  type FindingKind,
  type Waiver,
} from '../../../schemas/api/months/months.ts'
import { audit } from '../../db/audit.ts'
import type { Sql, Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import type { MonthAction } from '../months.ts'
import { refuseOwnBranch } from './selfDealing.ts'

/** A finding as the checks find it. */
export type UnwaivedFinding = Omit<Finding, 'waiver'>

/** A finding has the fingerprint of its waiver while it says what it said when it was waived (months 10). */
const fingerprintOf = ({ what, where, amount }: UnwaivedFinding) =>
  createHash('sha256')
    .update(JSON.stringify([what, where, amount]))
    .digest('hex')

/** The findings, each with the newest waiver of the same figures. `month` is an ISO first day. */
export async function withWaivers(
  sql: Sql,
  month: string,
  findings: readonly UnwaivedFinding[],
): Promise<Finding[]> {
  const rows = await sql.query<Waiver & { key: string; fingerprint: string }>(
    `select key, fingerprint, username, floor(extract(epoch from at))::bigint as at, reason
      from month_waiver where month = $1 order by id`,
    [month],
  )
  const given = new Map(
    rows.map(({ key, fingerprint, ...waiver }) => [`${fingerprint} ${key}`, waiver] as const),
  )
  return findings.map((it) => ({ ...it, waiver: given.get(`${fingerprintOf(it)} ${it.key}`) ?? null }))
}

/** Does this finding keep the month from being locked until it is waived? */
export const needsWaiver = ({ severity, waiver }: Finding) => severity === 'warning' && waiver === null

/**
 * A reason without the blanks at its ends. Throws an HttpError (422) when it is too short; `field` is that of
 * the body.
 */
export function waiverReason(sent: string, field: string): string {
  const reason = sent.trim()
  const message = `Reason needs at least ${minWaiverReason} characters`
  if (reason.length < minWaiverReason) throw new HttpError(422, message, { fields: { [field]: message } })
  return reason
}

/**
 * Stores one waiver of each finding, and audits each kind. Throws an HttpError (403) for what a person of the
 * branch may not waive (months 15).
 */
export async function writeWaivers(
  tx: Tx,
  { month, username, address }: MonthAction,
  findings: readonly Finding[],
  reason: string,
): Promise<void> {
  await refuseOwnBranch(tx, username, findings)
  await tx.query(
    `insert into month_waiver (month, kind, key, fingerprint, reason, username, address)
      select $1, kind, key, fingerprint, $3, $4, $5
      from jsonb_to_recordset($2::jsonb) as f (kind text, key text, fingerprint text)`,
    [
      month,
      JSON.stringify(findings.map((it) => ({ kind: it.kind, key: it.key, fingerprint: fingerprintOf(it) }))),
      reason,
      username,
      address,
    ],
  )
  for (const kind of new Set(findings.map((it) => it.kind)))
    await audit(tx, {
      username,
      address,
      action: 'waive',
      entity: 'month',
      entityid: month.slice(0, 7),
      after: { kind, keys: findings.filter((it) => it.kind === kind).map(({ key }) => key), reason },
    })
}

/**
 * The findings that a person names: one by its key, else all of a kind that are not waived. Throws an
 * HttpError: 404 when there is none, 409 for stops, 422 for stated totals without a key (months 10).
 */
export function findingsToWaive(
  findings: readonly Finding[],
  { kind, key }: { kind: string; key?: string },
): Finding[] {
  if (!Object.hasOwn(findingKinds, kind)) throw new HttpError(404, `There is no kind of finding ${kind}`)
  const { severity, what } = findingKinds[kind as FindingKind]
  if (severity === 'stop') throw new HttpError(409, `A stop cannot be waived: ${what}`)
  if (kind === singlyWaivedKind && key === undefined) {
    const message = 'Stated totals are waived one by one: name the key of one'
    throw new HttpError(422, message, { fields: { key: message } })
  }
  const named = findings.filter((it) => it.kind === kind && (key === undefined || it.key === key))
  if (named.length === 0)
    throw new HttpError(404, `The checklist of this month has no such finding: ${key ?? kind}`)
  return key === undefined ? named.filter(({ waiver }) => waiver === null) : named
}
