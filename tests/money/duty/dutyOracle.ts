import type { Permission } from '../../../schemas/permissions.ts'
import { accountNumber, agentIds } from '../payoutOrigin.ts'
import type { AgentFacts, Facts, PersonFacts } from './dutyPortal.ts'

/*
 * What nobody may do to money, from docs/product alone: every successful call is passed to the oracle, which
 * throws when it should have been refused.
 */

/**
 * A change of what agents are paid, by whom; `month` of an adjustment, null where it counts for all. A rate
 * does not stay: it holds from a month that is none of those played.
 */
type Change = {
  by: string
  agents: number[]
  month: string | null
  adjustment: number | null
  stays: boolean
  at: number
}
/** Payments of a month to the statements of agents; `at` is that of the lock. */
type Paid = { month: string; agents: number[]; by: string[]; at: number }
type DutyAccount = { number: string; payee: number | null }
type Waiting = { entered: DutyAccount; authors: Set<string> }
type AdjustmentFacts = { agent: number; month: string; author: string; isAccepted: boolean }
/**
 * `isPaired`: somebody by whom it paid was not independent of the person who locked, on the day of the
 * payment.
 */
type LockFacts = { month: string; by: string; at: number; isInForce: boolean; isPaired: boolean }

/** One payment as the ledger lists it, with the agents whose statements it pays. */
export type Sent = { payee: number; lastFour: string; agents: number[] }

class DutyError extends Error {}
const insist = (isTrue: boolean, what: string) => {
  if (!isTrue) throw new DutyError(what)
}

const holdsRight = ({ admin, permissions }: PersonFacts, permission: Permission) =>
  admin || permissions.includes(permission)
const agentFacts = ({ agents }: Facts, id: number | null): AgentFacts | undefined =>
  agents.find((agent) => agent.id === id)
export const seesAll = (facts: Facts, person: PersonFacts) =>
  person.admin || agentFacts(facts, person.agent)?.office === true
/** The person's agent, and all above it. */
export function chainOf(facts: Facts, person: Pick<PersonFacts, 'agent'>): number[] {
  const chain: number[] = []
  for (
    let at = agentFacts(facts, person.agent);
    at && !chain.includes(at.id);
    at = agentFacts(facts, at.parent)
  )
    chain.push(at.id)
  return chain
}
/** The agents from this one to the top. */
const upwards = (facts: Facts, id: number) => chainOf(facts, { agent: id })
const isInBranch = (facts: Facts, person: PersonFacts, id: number) => {
  if (seesAll(facts, person)) return true
  let at = agentFacts(facts, id)
  for (let steps = 0; at && at.id !== person.agent && steps < 20; steps += 1)
    at = agentFacts(facts, at.parent)
  return at !== undefined && at.id === person.agent
}
const settlesMonths = (facts: Facts, person: PersonFacts) =>
  holdsRight(person, 'lock_reports') && (seesAll(facts, person) || holdsRight(person, 'reports_admin'))
const movesAccounts = (facts: Facts, person: PersonFacts) =>
  holdsRight(person, 'lock_reports') && holdsRight(person, 'manage_master_agents') && seesAll(facts, person)

export function dutyOracle() {
  let clock = 0
  const changes: Change[] = []
  const confirmed = new Map<number, DutyAccount>(
    agentIds.map((id) => [id, { number: accountNumber(id), payee: null }]),
  )
  const waiting = new Map<number, Waiting>()
  const adjustments = new Map<number, AdjustmentFacts>()
  const locks: LockFacts[] = []
  const pairs = new Set<string>()
  const payments: Paid[] = []
  let approver: { name: string; isPaired: boolean } | null = null

  const isPair = (one: string, other: string) => pairs.has([one, other].sort().join(' '))
  const lockOf = (month: string) => locks.find((it) => it.month === month && it.isInForce)
  const forget = (adjustment: number, by?: string) => {
    for (const change of changes.filter((it) => it.adjustment === adjustment && it.by !== by))
      changes.splice(changes.indexOf(change), 1)
  }
  /** Whether another person approved and released a payment to this agent that the change had a part in. */
  const isConfirmed = ({ by, month, at }: Change, agent: number) => {
    const first = locks.filter((it) => it.at < at).map((it) => it.month)
    return payments.some(
      (it) =>
        it.agents.includes(agent) &&
        !it.by.includes(by) &&
        it.at > at &&
        (month === null ? first.every((locked) => locked < it.month) : it.month >= month),
    )
  }
  const note = (change: Omit<Change, 'at'>) => changes.push({ ...change, at: (clock += 1) })

  return {
    pairs,
    lockOf,
    waiting,
    adjustments,
    /** Whether the run says that two of its people are not independent (payouts 12). */
    isReported: (month: string) => lockOf(month)!.isPaired || approver?.isPaired === true,
    related: (one: string, other: string) => pairs.add([one, other].sort().join(' ')),

    /** A field of an agent was changed; `before` are the facts before the call. */
    agentChanged(before: Facts, person: PersonFacts, id: number, field: string) {
      const isOwn = chainOf(before, person).includes(id)
      const isOffice = agentFacts(before, id)!.office
      insist(isInBranch(before, person, id), `${person.name} changed ${field} of ${id}, out of sight`)
      const right = field === 'rate' ? 'edit_commission' : 'manage_master_agents'
      insist(holdsRight(person, right), `${person.name} changed ${field} without ${right}`)
      insist(
        !isOwn || (isOffice && field !== 'office') || field === 'account',
        `${person.name} changed ${field} of the own chain, agent ${id}`,
      )
      if (['rate', 'subscription', 'payoninactive', 'office'].includes(field))
        note({
          by: person.name,
          agents: [id],
          month: null,
          adjustment: null,
          stays: field !== 'rate',
        })
    },

    accountEntered(person: PersonFacts, id: number, change: Partial<DutyAccount>) {
      const former = confirmed.get(id)!
      const entered = { ...(waiting.get(id)?.entered ?? former), ...change }
      const authors = new Set([...(waiting.get(id)?.authors ?? []), person.name])
      if (entered.number === former.number && entered.payee === former.payee) waiting.delete(id)
      else waiting.set(id, { entered, authors })
    },
    accountConfirmed(facts: Facts, person: PersonFacts, id: number) {
      const { entered, authors } = waiting.get(id)!
      insist(movesAccounts(facts, person), `${person.name} confirmed an account without the right`)
      insist(!authors.has(person.name), `${person.name} confirmed an account they entered, of ${id}`)
      insist(
        entered.payee === confirmed.get(id)!.payee ||
          !chainOf(facts, person).includes(id) ||
          agentFacts(facts, id)!.office,
        `${person.name} confirmed a payee of the own chain, of ${id}`,
      )
      confirmed.set(id, entered)
      waiting.delete(id)
    },
    accountRejected(facts: Facts, person: PersonFacts, id: number) {
      insist(movesAccounts(facts, person), `${person.name} rejected an account without the right`)
      waiting.delete(id)
    },

    adjusted(facts: Facts, person: PersonFacts, id: number, agent: number, month: string) {
      const before = adjustments.get(id)
      insist(holdsRight(person, 'lock_reports'), `${person.name} adjusted without lock_reports`)
      insist(isInBranch(facts, person, agent), `${person.name} adjusted ${agent}, out of sight`)
      insist(
        !before?.isAccepted || seesAll(facts, person),
        `${person.name} changed an accepted adjustment of the house`,
      )
      for (const of of [month, before?.month ?? month])
        insist(!lockOf(of), `${person.name} adjusted ${of}, which is locked`)
      const isAccepted = before ? before.isAccepted : seesAll(facts, person)
      adjustments.set(id, { agent, month, author: before?.author ?? person.name, isAccepted })
      note({ by: person.name, agents: [agent, before?.agent ?? agent], month, adjustment: id, stays: true })
      if (before && before.month !== month)
        note({
          by: person.name,
          agents: [before.agent],
          month: before.month,
          adjustment: id,
          stays: true,
        })
      return isAccepted
    },
    adjustmentDeleted(person: PersonFacts, id: number) {
      const { agent, month, isAccepted } = adjustments.get(id)!
      adjustments.delete(id)
      forget(id)
      if (isAccepted) note({ by: person.name, agents: [agent], month, adjustment: null, stays: true })
    },
    adjustmentAccepted(facts: Facts, person: PersonFacts, id: number) {
      const proposal = adjustments.get(id)!
      insist(
        holdsRight(person, 'lock_reports') && seesAll(facts, person),
        `${person.name} accepted an adjustment without the right`,
      )
      insist(proposal.author !== person.name, `${person.name} accepted the own proposal`)
      proposal.isAccepted = true
      forget(id, person.name)
    },

    settled(facts: Facts, person: PersonFacts, step: string) {
      insist(settlesMonths(facts, person), `${person.name} did ${step} without the right`)
    },
    holdEnded(facts: Facts, person: PersonFacts, id: number) {
      insist(
        !chainOf(facts, person).includes(id) || agentFacts(facts, id)!.office,
        `${person.name} ended a hold of the own chain, of ${id}`,
      )
    },
    locked(person: PersonFacts, month: string) {
      locks.push({ month, by: person.name, at: (clock += 1), isInForce: true, isPaired: false })
      approver = null
    },
    reopened(person: PersonFacts, month: string) {
      insist(person.admin, `${person.name} opened ${month} again and is no administrator`)
      lockOf(month)!.isInForce = false
      approver = null
    },
    /** Locked once, and open now. */
    isOpenAgain: (month: string) => !lockOf(month) && locks.some((it) => it.month === month),
    /** A record of an agent was taken over in a month that is open again, or its copy counts again. */
    takenOver(
      facts: Facts,
      person: PersonFacts,
      month: string,
      { kind, agent }: { kind: string; agent: number },
    ) {
      insist(settlesMonths(facts, person), `${person.name} took over ${kind} without the right`)
      const chain = chainOf(facts, person)
      const isOffice = agentFacts(facts, agent)!.office
      insist(
        !chain.includes(agent) || (isOffice && kind !== 'agent-office'),
        `${person.name} took over ${kind} of the own chain, agent ${agent}`,
      )
      const paid = upwards(facts, agent).filter((id) => chain.includes(id) && !agentFacts(facts, id)!.office)
      insist(
        seesAll(facts, person) || paid.length === 0,
        `${person.name}, of a branch, took over ${kind} of ${agent}, by which ${paid} is paid`,
      )
      if (kind !== 'agent-parent')
        note({ by: person.name, agents: [agent], month, adjustment: null, stays: true })
    },
    approved(person: PersonFacts, month: string) {
      insist(lockOf(month)!.by !== person.name, `${person.name} locked and approved ${month}`)
      approver = { name: person.name, isPaired: isPair(lockOf(month)!.by, person.name) }
    },
    /**
     * Neither who approved nor who releases changed what one of these payments is made of, or where it goes.
     */
    released(facts: Facts, person: PersonFacts, month: string, { how, sent }: { how: string; sent: Sent[] }) {
      insist(how !== 'file' || movesAccounts(facts, person), `${person.name} took a file without the right`)
      if (approver === null) throw new Error(`${month} was released and not approved`)
      const lock = lockOf(month)!
      lock.isPaired ||= approver.isPaired || isPair(lock.by, person.name)
      const prior = locks.filter((it) => it.month < month && it.isInForce).at(-1)?.month
      const since = locks.find((it) => it.month === prior)?.at ?? 0
      for (const { payee, lastFour, agents } of sent) {
        const account = confirmed.get(payee)!
        insist(!waiting.has(payee), `paid to ${payee}, whose account is pending`)
        insist(lastFour === account.number.slice(-4), `paid to ${lastFour}, not ${account.number}`)
        for (const id of agents)
          insist((confirmed.get(id)!.payee ?? id) === payee, `what is due to ${id} was paid to ${payee}`)
        const authors = changes
          .filter((it) => it.month === null || it.month <= month)
          .filter((it) => it.adjustment === null || adjustments.get(it.adjustment)?.isAccepted)
          .filter((it) => {
            const paid = it.agents.filter((id) => id === payee || agents.includes(id))
            const isNew = it.month === null ? it.at > since : it.month === month
            return isNew ? paid.length > 0 : it.stays && paid.some((id) => !isConfirmed(it, id))
          })
          .map(({ by }) => by)
        insist(!authors.includes(approver.name), `${approver.name} approved what they changed, to ${payee}`)
        insist(!authors.includes(person.name), `${person.name} released what they changed, to ${payee}`)
      }
      const by = [approver.name, person.name]
      payments.push({ month, agents: sent.flatMap((it) => it.agents), by, at: lock.at })
    },
  }
}
export type DutyOracle = ReturnType<typeof dutyOracle>
