import {
  findingKinds,
  minWaiverReason,
  singlyWaivedKind,
  type Finding,
  type FindingKind,
} from '../../../schemas/api/months/months.ts'
import { audit } from '../../db/audit.ts'
import type { Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import type { MonthAction } from '../months.ts'
import { refuseOwnBranch } from './selfDealing.ts'

/** A row of `month_waiver` as a finding shows it. */
export const waiverJson = `json_build_object('username', username,
      'at', floor(extract(epoch from at))::bigint, 'reason', reason)::jsonb`

/**
 * given_waiver (key, fingerprint, waiver): the newest waiver of each finding of the month, by the figures it
 * had. `month` is its placeholder.
 */
export const waiverCte = (month: string) => `
  given_waiver as materialized (
    select distinct on (key, fingerprint) key, fingerprint, ${waiverJson} as waiver
    from month_waiver where month = ${month} order by key, fingerprint, id desc)`

/**
 * SQL condition: waiver `w` is of finding `f` as it is now (months 10). The fingerprint is worked out where
 * the keys are equal alone, for it takes longer than to find a finding.
 */
export const newestWaiver = (f: string, w: string) =>
  `${w}.key = ${f}.key and case when ${w}.key = ${f}.key
    then ${w}.fingerprint = finding_fingerprint(${f}.what, ${f}."where", ${f}.amount) end`

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
      select $1, kind, key, finding_fingerprint(what, "where", amount), $3, $4, $5
      from jsonb_to_recordset($2::jsonb)
        as f (kind text, key text, what text, "where" text, amount numeric)`,
    [month, JSON.stringify(findings), reason, username, address],
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
