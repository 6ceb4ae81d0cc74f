import { takesBankFiles, type Payout, type PayoutRelease } from '../../schemas/api/months/months.ts'
import { pageSizes } from '../../schemas/constants.ts'
import { sumDollars } from '../../schemas/dollars.ts'
import { seesOpenMonths, settlesPayouts } from '../../schemas/screenRules.ts'
import type { Config } from '../config/config.ts'
import type { Db, Sql } from '../db/db.ts'
import { inLargeTransaction } from '../db/largeWork.ts'
import { idParam, type Call, type Caller, type Handlers } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { sendTextFile } from '../http/fileResponse.ts'
import { transactionWithEmails, type BackgroundMailer } from '../mail/emails.ts'
import { dayInZone } from '../money/bankDays.ts'
import { lockMonth, reopenMonth, waiveFindings } from '../money/lock.ts'
import { lockReply, reopenedLockReply } from '../money/lockReply.ts'
import { currentLock, laterLockedMonth, monthPattern, newestLockedMonth } from '../money/months.ts'
import { readMonthTrend } from '../money/monthTrend.ts'
import { readDifferences, takeOver } from '../money/reopening/differences.ts'
import { refreshPresence } from '../money/variance/presence.ts'
import { approveRun, hasLocked, readMonthRun, runNotes, type MonthRun } from './approval.ts'
import { addHold, endHold } from './holds.ts'
import { readLedger } from './ledger.ts'
import { readMonthDetail } from './monthDetail.ts'
import { readMonthStates, readWorkMonth, stateOfLock } from './monthStates.ts'
import { ownChangesReason, readReleaseFile, releaseRun } from './release.ts'
import { readReleases } from './releases.ts'
import { readReturnFile } from './returns/bookReturnFile.ts'
import { addReleaseReturns, addReturn } from './returns/returns.ts'
import { closedEntries, entryWithoutDue, holdIfChanged, shownEntry } from './run.ts'
import { changesBy, fourEyesEmails, possibleApprovers } from './separation.ts'

type MonthHandlers = Handlers['months']
type MonthCall = Call<{ month: string }>

/** The ISO first day of a month's path parameter. Throws an HttpError (404). */
export function monthParam(params: { month: string }): string {
  if (!monthPattern.test(params.month))
    throw new HttpError(404, `There is no month ${params.month}: write it like 2026-10`)
  return `${params.month}-01`
}

export const monthHandlers = (
  db: Db,
  config: Config,
  secret: Buffer,
  mailer: BackgroundMailer,
): MonthHandlers => ({
  ...stateHandlers(db, config, secret),
  ...payoutHandlers(db, config, secret, mailer),
  ...ledgerHandlers(db, config, secret, mailer),
})

const stateHandlers = (db: Db, config: Config, secret: Buffer) =>
  ({
    /** Callers who see a branch alone get the locked months only. */
    async list({ caller }) {
      const states = await readMonthStates(db, { ...config, secret, now: new Date() })
      const seesOpen = seesOpenMonths(caller)
      const shown = seesOpen ? states : states.filter((it) => it.state !== 'open')
      const work = seesOpen ? await readWorkMonth(db) : (shown[0]?.month ?? null)
      return {
        data: shown.map(({ month, state, version }) => ({ month: month.slice(0, 7), state, version })),
        work: work && work.slice(0, 7),
      }
    },

    async detail({ caller, params }) {
      const month = monthParam(params)
      const scope = seesOpenMonths(caller) ? null : caller.scope
      // The checklist of an open month asks who is in no file of it; a lock keeps the answer.
      if (scope === null && !(await currentLock(db, month))) await refreshPresence(db, month, month)
      return inLargeTransaction(db, (tx) =>
        readMonthDetail(tx, { ...config, secret, now: new Date(), month, scope }),
      )
    },

    /** Answers the month with the findings as they are waived now. */
    async waive({ caller, address, params, body }) {
      const month = monthParam(params)
      await refreshPresence(db, month, month)
      return inLargeTransaction(db, async (tx) => {
        await waiveFindings(tx, config.timeZone, { ...body, month, username: caller.username, address })
        return readMonthDetail(tx, { ...config, secret, now: new Date(), month, scope: null })
      })
    },

    async lock({ caller, address, params, body }) {
      const month = monthParam(params)
      return lockReply(await lockMonth(db, { ...body, month, username: caller.username, address }))
    },

    async reopen({ caller, address, params, body }) {
      const month = monthParam(params)
      const lock = await reopenMonth(db, { month, reason: body.reason, username: caller.username, address })
      return reopenedLockReply(db, lock)
    },

    trend: async ({ params }) => ({
      data: await readMonthTrend(db, monthParam(params), config.timeZone),
    }),

    differences: ({ params, query }) => readDifferences(db, monthParam(params), query),

    /** Answers the differences that are left. */
    takeover: ({ caller, address, params, body }) =>
      db.transaction(async (tx) => {
        const month = monthParam(params)
        const { username, chain, scope } = caller
        await takeOver(tx, { ...body, month, username, address, chain, isOfBranch: scope !== null })
        return readDifferences(tx, month, { kind: '', page: 1, size: pageSizes[3] })
      }),
  }) satisfies Partial<MonthHandlers>

const payoutHandlers = (db: Db, config: Config, secret: Buffer, mailer: BackgroundMailer) => {
  const { fourEyes } = config
  const action = ({ caller, address, params }: Pick<MonthCall, 'caller' | 'address' | 'params'>) => ({
    month: monthParam(params),
    username: caller.username,
    address,
    secret,
    fourEyes,
    now: new Date(),
  })
  const reply = async (sql: Sql, month: string, caller: Caller) => {
    const isClosed = (await laterLockedMonth(sql, month)) !== null
    const run = await readMonthRun(sql, month, { secret, viewer: caller.username, fourEyes, isClosed })
    return payoutReply(sql, run, { caller, config, secret, isClosed })
  }
  return {
    payout: ({ caller, params }) => reply(db, monthParam(params), caller),

    releases: ({ caller, params }) => readReleases(db, monthParam(params), caller, config),

    approve: (call) =>
      transactionWithEmails(db, mailer, call.request.log, async (tx, emails) => {
        await approveRun(tx, action(call), call.body.hash)
        emails.push(...(await fourEyesEmails(tx, action(call), 'approved')))
        return reply(tx, monthParam(call.params), call.caller)
      }),

    /** Answers the bank file, or the release when it is paid in another way. */
    async release(call) {
      if (call.body.how === 'file' && !takesBankFiles(call.caller))
        throw new HttpError(
          403,
          'Only who sees all agents and may change their bank data takes the bank file',
        )
      const { text, ...released } = await transactionWithEmails(
        db,
        mailer,
        call.request.log,
        async (tx, emails) => {
          const release = await releaseRun(tx, { ...action(call), config }, call.body)
          emails.push(...(await fourEyesEmails(tx, action(call), 'released')))
          return release
        },
      )
      return text === null
        ? call.reply.send(released)
        : sendTextFile(call.reply, { text, filename: released.filename! })
    },

    async file(call) {
      const id = idParam(call.params.id)
      return sendTextFile(call.reply, await db.transaction((tx) => readReleaseFile(tx, action(call), id)))
    },

    ...holdHandlers(db, config, secret),
  } satisfies Partial<MonthHandlers>
}

const holdHandlers = (db: Db, config: Config, secret: Buffer) => {
  const { fourEyes } = config
  const entryOf = async (tx: Sql, month: string, id: number) => {
    const { run } = await readMonthRun(tx, month, { secret, viewer: null, fourEyes })
    const entry = run.entries.find((it) => it.masteragentid === id || it.agents.includes(id))
    return { lock: run.lock, entry }
  }
  const change =
    (apply: typeof addHold): MonthHandlers['hold' | 'unhold'] =>
    ({ caller, address, params, body }) =>
      db.transaction(async (tx) => {
        const month = monthParam(params)
        const { masteragentid } = body
        // A hold makes an entry of its own where nothing is due, so what is due is read before.
        const isDue = apply === endHold || (await entryOf(tx, month, masteragentid)).entry !== undefined
        const { username, chain } = caller
        await apply(tx, { month, username, address, chain }, body)
        if (!isDue) throw new HttpError(409, 'Nothing is due to this master agent in this month')
        const { lock, entry } = await entryOf(tx, month, masteragentid)
        return shownEntry(entry ?? (await entryWithoutDue(tx, lock, { secret, masteragentid })), chain)
      })
  return {
    hold: change(addHold),
    unhold: change(endHold),
    return: ({ caller, address, params, body }) =>
      db.transaction(async (tx) => {
        const today = dayInZone(config.timeZone, new Date())
        const action = { month: monthParam(params), username: caller.username, address, today }
        const { id } = await addReturn(tx, action, body)
        const { data } = await readLedger(tx, secret, null, { page: 1, size: 10, search: '', sort: '', id })
        return data[0]!
      }),

    /** Answers what was released of the month. */
    returnrelease: ({ caller, address, params, body }) =>
      db.transaction(async (tx) => {
        const today = dayInZone(config.timeZone, new Date())
        const action = { month: monthParam(params), username: caller.username, address, today }
        await addReleaseReturns(tx, action, { ...body, release: idParam(params.id) })
        return readReleases(tx, action.month, caller, config)
      }),
  } satisfies Partial<MonthHandlers>
}

const ledgerHandlers = (db: Db, config: Config, secret: Buffer, mailer: BackgroundMailer) =>
  ({
    returnfile: ({ caller, address, body, request }) =>
      transactionWithEmails(db, mailer, request.log, (tx, emails) => {
        const today = dayInZone(config.timeZone, new Date())
        return readReturnFile(tx, { username: caller.username, address, secret, today }, body, emails)
      }),

    ledger: ({ caller, query }) =>
      readLedger(db, secret, settlesPayouts(caller) ? null : caller.scope, query),
  }) satisfies Partial<MonthHandlers>

async function payoutReply(
  sql: Sql,
  state: MonthRun,
  { caller, config, secret, isClosed }: { caller: Caller; config: Config; secret: Buffer; isClosed: boolean },
): Promise<Payout> {
  const { run, approval, changes } = state
  const { lock } = run
  const { fourEyes } = config
  const changed =
    approval && fourEyes ? await changesBy(sql, lock, { username: caller.username, at: null }) : null
  const entries = isClosed
    ? await closedEntries(sql, lock, secret)
    : run.entries.map((entry) => shownEntry(changed ? holdIfChanged(entry, changed) : entry, caller.chain))
  // Of an approved run who releases it pays what is not held for this person.
  const total = sumDollars(entries.map(({ payable }) => payable))
  const released = await readReleases(sql, lock.month, caller, config)
  const paid = released.releases.filter(({ version }) => version === lock.version)
  const isOwnLock = fourEyes && (await hasLocked(sql, lock, caller.username))
  const approvers = isOwnLock ? await possibleApprovers(sql, lock.username) : []
  return {
    ...released,
    state: stateOfLock(
      { isapproved: approval !== null, released: paid.length, effective: newestDay(paid) },
      dayInZone(config.timeZone, new Date()),
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
          ? lockedByYou(approvers)
          : null,
    cannotrelease: !approval ? 'This run is not approved' : total === 0 ? ownChangesReason : null,
    isclosed: isClosed,
    isnewestlock: (await newestLockedMonth(sql)) === lock.month,
  }
}

const newestDay = (releases: readonly PayoutRelease[]) =>
  releases
    .flatMap(({ effective }) => effective ?? [])
    .sort()
    .at(-1) ?? null

/** With nobody else to approve, both ways out are named (payouts 12). */
const lockedByYou = (approvers: readonly string[]) =>
  approvers.length > 0
    ? `You locked this month: another person must approve it (${approvers.slice(0, 5).join(', ')})`
    : 'You locked this month, and nobody else may approve it: give another user the permission ' +
      'lock_reports and sight of all master agents, or set FOUR_EYES=off'
