import type { Payout, PayoutRelease } from '../../schemas/api/months/months.ts'
import { sumDollars } from '../../schemas/dollars.ts'
import type { Config } from '../config/config.ts'
import type { Sql } from '../db/db.ts'
import type { Caller } from '../http/call.ts'
import { dayInZone, nextBankDay } from '../money/bankDays.ts'
import { laterLockedMonth, newestLockedMonth } from '../money/months.ts'
import { readMonthRun, runNotes, type MonthRun } from './approval.ts'
import { stateOfLock } from './monthStates.ts'
import { ownChangesReason } from './release.ts'
import { readReleases } from './releases.ts'
import { closedEntries, holdIfChanged, shownEntry } from './run.ts'
import { changesBy } from './separation/changesBy.ts'
import { isLocker, possibleApprovers } from './separation/twoPeople.ts'

type ReplyOptions = { caller: Caller; config: Config; secret: Buffer }

/**
 * The payouts of a month, an ISO first day, as the caller may approve or release them (payouts 15). Throws an
 * HttpError (409) while the month is not locked.
 */
export async function payoutReply(
  sql: Sql,
  month: string,
  { caller, config, secret }: ReplyOptions,
): Promise<Payout> {
  const { fourEyes } = config
  const isClosed = (await laterLockedMonth(sql, month)) !== null
  const state = await readMonthRun(sql, month, { secret, viewer: caller.username, fourEyes, isClosed })
  const { run, approval, changes } = state
  const { lock } = run
  const entries = isClosed
    ? await closedEntries(sql, lock, secret)
    : await openEntries(sql, state, { caller, fourEyes })
  const total = sumDollars(entries.map(({ payable }) => payable))
  const released = await readReleases(sql, month, caller, config)
  const paid = released.releases.filter(({ version }) => version === lock.version)
  const today = dayInZone(config.timeZone, new Date())
  const isOwnLock = fourEyes && (await isLocker(sql, lock, { username: caller.username, at: null }))
  return {
    ...released,
    state: stateOfLock(
      { isapproved: approval !== null, released: paid.length, effective: newestDay(paid) },
      today,
    ),
    version: lock.version,
    hash: run.hash,
    lockedby: lock.username,
    total,
    entries,
    approval: approval && { username: approval.username, at: approval.at },
    notes: [...changes, ...(await runNotes(sql, state, { viewer: caller.username, fourEyes }))],
    cannotapprove: approval
      ? `${approval.username} has approved this run`
      : run.total === 0
        ? 'This run pays nobody'
        : isOwnLock
          ? ownLockReason(await possibleApprovers(sql, lock.username))
          : null,
    cannotrelease: !approval ? 'This run is not approved' : total === 0 ? ownChangesReason : null,
    nextbankday: nextBankDay(today),
    isclosed: isClosed,
    isnewestlock: (await newestLockedMonth(sql)) === month,
  }
}

/**
 * The entries of a run that is not closed. Before the approval `readMonthRun` has held those that the caller
 * changed; an approved run is that of its approver, so they are held here, and the total is what the caller
 * may release.
 */
async function openEntries(
  sql: Sql,
  { run, approval }: MonthRun,
  { caller, fourEyes }: { caller: Caller; fourEyes: boolean },
) {
  const changes =
    approval && fourEyes
      ? await changesBy(sql, run.lock, { username: caller.username, at: null })
      : new Map<number, string>()
  return run.entries.map((entry) => shownEntry(holdIfChanged(entry, changes), caller.chain))
}

const newestDay = (releases: readonly PayoutRelease[]) =>
  releases
    .flatMap(({ effective }) => effective ?? [])
    .sort()
    .at(-1) ?? null

/** With nobody else to approve, both ways out are named (payouts 12). */
const ownLockReason = (approvers: readonly string[]) =>
  approvers.length > 0
    ? `You locked this month: another person must approve it (${approvers.slice(0, 5).join(', ')})`
    : 'You locked this month, and nobody else may approve it: give another user the permission ' +
      'lock_reports and sight of all master agents, or set FOUR_EYES=off'
