import { takesBankFiles } from '../../schemas/api/months/months.ts'
import { settlesPayouts } from '../../schemas/screenRules.ts'
import type { Config } from '../config/config.ts'
import type { Db, Sql } from '../db/db.ts'
import type { Handlers } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { sendTextFile } from '../http/fileResponse.ts'
import { parseId } from '../http/ids.ts'
import { transactionWithEmails, type BackgroundMailer } from '../mail/emails.ts'
import { dayInZone } from '../money/bankDays.ts'
import { monthActionOf, monthParam, type MonthCall } from '../money/months.ts'
import { approveRun, readMonthRun } from './approval.ts'
import { addHold, endHold } from './holds.ts'
import { readLedger } from './ledger.ts'
import { payoutReply } from './payoutReply.ts'
import { readReleaseFile, releaseRun } from './release.ts'
import { readReleases } from './releases.ts'
import { readReturnFile } from './returns/bookReturnFile.ts'
import { addReleaseReturns, addReturn } from './returns/returns.ts'
import { entryWithoutDue, shownEntry } from './run.ts'
import { fourEyesEmails } from './separation/twoPeople.ts'
import { stateHandlers } from './stateHandlers.ts'

type MonthHandlers = Handlers['months']

/** The calls of a month: its lock, its payouts, their holds and returns, and the ledger of all months. */
export const monthHandlers = (
  db: Db,
  config: Config,
  secret: Buffer,
  mailer: BackgroundMailer,
): MonthHandlers => ({
  ...stateHandlers(db, config, secret),
  ...payoutHandlers(db, config, secret, mailer),
  ...holdHandlers(db, config, secret),
  ...returnHandlers(db, config, secret, mailer),
  ledger: ({ caller, query }) =>
    readLedger(db, secret, settlesPayouts(caller) ? null : caller.scope, {
      ...query,
      today: dayInZone(config.timeZone, new Date()),
    }),
})

const payoutHandlers = (db: Db, config: Config, secret: Buffer, mailer: BackgroundMailer) => {
  const { fourEyes } = config
  const action = (call: MonthCall) => ({
    ...monthActionOf(call),
    secret,
    fourEyes,
    now: new Date(),
  })
  const reply = (sql: Sql, { caller, params }: MonthCall) =>
    payoutReply(sql, monthParam(params), { caller, config, secret })
  return {
    payout: (call) => reply(db, call),

    releases: ({ caller, params }) => readReleases(db, monthParam(params), caller, config),

    approve: (call) =>
      transactionWithEmails(db, mailer, call.request.log, async (tx, emails) => {
        await approveRun(tx, action(call), call.body.hash)
        emails.push(...(await fourEyesEmails(tx, action(call), 'approved')))
        return reply(tx, call)
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
      const id = parseId(call.params.id, 'release')
      return sendTextFile(call.reply, await db.transaction((tx) => readReleaseFile(tx, action(call), id)))
    },
  } satisfies Partial<MonthHandlers>
}

const holdHandlers = (db: Db, { fourEyes }: Config, secret: Buffer) => {
  type Held = { masteragentid: number; statement?: boolean }
  /** The entry of a payee, else the one that pays an agent's statement; of a statement that one first. */
  const findEntry = async (sql: Sql, month: string, { masteragentid: id, statement = false }: Held) => {
    const { run } = await readMonthRun(sql, month, { secret, viewer: null, fourEyes })
    const ofPayee = run.entries.find((it) => it.masteragentid === id)
    const ofStatement = run.entries.find((it) => it.agents.includes(id))
    return { lock: run.lock, entry: statement ? (ofStatement ?? ofPayee) : (ofPayee ?? ofStatement) }
  }
  const entryReply = async (sql: Sql, { caller, params }: MonthCall, held: Held) => {
    const { masteragentid } = held
    const { lock, entry } = await findEntry(sql, monthParam(params), held)
    return shownEntry(entry ?? (await entryWithoutDue(sql, lock, { secret, masteragentid })), caller.chain)
  }
  const action = (call: MonthCall) => ({ ...monthActionOf(call), chain: call.caller.chain })
  return {
    hold: (call) =>
      db.transaction(async (tx) => {
        // A hold makes an entry of its own where nothing is due, so this is looked for before.
        const { entry } = await findEntry(tx, monthParam(call.params), call.body)
        await addHold(tx, action(call), call.body)
        if (!entry) throw new HttpError(409, 'Nothing is due to this master agent in this month')
        return entryReply(tx, call, call.body)
      }),

    unhold: (call) =>
      db.transaction(async (tx) => {
        await endHold(tx, action(call), call.body)
        return entryReply(tx, call, call.body)
      }),
  } satisfies Partial<MonthHandlers>
}

const returnHandlers = (db: Db, config: Config, secret: Buffer, mailer: BackgroundMailer) => {
  const today = () => dayInZone(config.timeZone, new Date())
  const action = (call: MonthCall) => ({ ...monthActionOf(call), today: today() })
  return {
    return: (call) =>
      db.transaction(async (tx) => {
        const { id } = await addReturn(tx, action(call), call.body)
        const ofPayment = { page: 1, size: 10, search: '', sort: '', id, today: today() } as const
        return (await readLedger(tx, secret, null, ofPayment)).data[0]!
      }),

    /** Answers what was released of the month. */
    returnrelease: (call) =>
      db.transaction(async (tx) => {
        await addReleaseReturns(tx, action(call), {
          ...call.body,
          release: parseId(call.params.id, 'release'),
        })
        return readReleases(tx, monthParam(call.params), call.caller, config)
      }),

    returnfile: ({ caller, address, body, request }) =>
      transactionWithEmails(db, mailer, request.log, (tx, emails) => {
        const { username } = caller
        return readReturnFile(tx, { username, address, secret, today: today() }, body, emails)
      }),
  } satisfies Partial<MonthHandlers>
}
