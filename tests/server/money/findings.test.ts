import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Finding, FindingKind, MonthDetail } from '../../../schemas/api/months/months.ts'
import { ledger, publish, type Ledger } from '../reports/ledger.ts'

/** Net dollars by processor. */
type Nets = Record<string, number>
type Move = [name: string, before: Nets, now: Nets, difference: number | null]

/** One processor, and more before than nothing. */
const moves: Move[] = [
  ['up by 30 %', { Aurora: 1000 }, { Aurora: 1300 }, null],
  ['up by a cent more than 30 %', { Aurora: 1000 }, { Aurora: 1300.01 }, 300.01],
  ['down by 30 %', { Aurora: 1000 }, { Aurora: 700 }, null],
  ['down by a cent more than 30 %', { Aurora: 1000 }, { Aurora: 699.99 }, -300.01],
  ['up by $100', { Aurora: 200 }, { Aurora: 300 }, null],
  ['up by $100.01', { Aurora: 200 }, { Aurora: 300.01 }, 100.01],
  ['down by $100', { Aurora: 200 }, { Aurora: 100 }, null],
  ['down by $100.01', { Aurora: 200 }, { Aurora: 99.99 }, -100.01],
]

const merchantMoves: Move[] = [
  ...moves,
  ['from a loss to a larger one', { Aurora: -200 }, { Aurora: -300.01 }, -100.01],
  ['from nothing by $100', { Aurora: 0 }, { Aurora: 100 }, null],
  ['from nothing by $100.01', { Aurora: 0 }, { Aurora: 100.01 }, 100.01],
  ['to another processor that pays more', { Aurora: 30 }, { Borealis: 1000 }, 970],
  ['to another processor that pays less', { Borealis: 1000 }, { Aurora: 30 }, -970],
  ['to another processor that pays the same', { Aurora: 1000 }, { Borealis: 1000 }, null],
  [
    'by little at each of three processors, and by $100.02 in all',
    { Aurora: 100, Borealis: 100, Drift: 100 },
    { Aurora: 133.34, Borealis: 133.34, Drift: 133.34 },
    100.02,
  ],
  ['and was in no file before', {}, { Aurora: 5000 }, null],
  ['and is in no file now', { Aurora: 5000 }, {}, null],
]

/** An agent who has all that their own merchant brings. */
const agentMoves: Move[] = [
  ...moves,
  ['and earned nothing before', {}, { Aurora: 5000 }, 5000],
  ['down to nothing', { Aurora: 5000 }, {}, -5000],
]

const lossOf: [net: number, isFound: boolean][] = [
  [-0.01, true],
  [0, false],
  [0.01, false],
]

/** The percentages of agents below the house, each below the one before; whose are found. */
type Chain = [percents: number[], above: number[], sums: number[]]
const chains: Chain[] = [
  // The house has no percentage that anybody could be above.
  [[100], [], []],
  [[60, 60], [], []],
  [[60, 60.01], [1], []],
  [[60, 59.99], [], []],
  // The first earns nothing, because a percentage below it is higher.
  [[60, 50, 90], [2], []],
  [[100.01], [], [0]],
]

const [before, now] = ['2026-08-01', '2026-09-01']
/**
 * The adjustments of agents without bank data, in dollars, whether they are office accounts, and what is due
 * to them if they are found.
 */
const dues: [adjustments: number[], office: boolean, due: number | null][] = [
  [[0.01], false, 0.01],
  [[5, -5], false, null],
  [[-5], false, null],
  [[5], true, null],
]

describe('a finding of a month', () => {
  let portal: Ledger
  let findings: readonly Finding[]
  let next = 200
  const agentIds = { moves: [] as number[], chains: [] as number[][], dues: [] as number[] }
  let overrides: { parent: number; child: number }

  const sql = (text: string, values: unknown[] = []) => portal.db.query(text, values)
  const addAgent = async (percent: number, parent = 1) => {
    const id = next++
    await sql(
      `insert into master_agent (id, name, parentid, percentagecommissionreceived) values ($1, $2, $3, $4)`,
      [id, `Agent ${id}`, parent, percent],
    )
    return id
  }
  const addMerchant = (xmid: string, agent: number) =>
    sql(
      `insert into merchant (xmid, dba, masteragentid, accountstatus, processor) values ($1, 'M', $2, 2, 'Aurora')`,
      [xmid, agent],
    )
  async function addRows(month: string, xmid: string, nets: Nets) {
    for (const [processor, net] of Object.entries(nets))
      await sql(
        `insert into residual (month, processor, xmid, income, net, batchid) values ($1, $2, $3, $4, $4, 1)`,
        [month, processor, xmid, net],
      )
  }
  const keysOf = (kind: FindingKind) => findings.filter((it) => it.kind === kind).map(({ key }) => key)
  const amountOf = (key: string) => findings.find((it) => it.key === key)?.amount ?? null

  beforeAll(async () => {
    portal = await ledger()
    for (const [at, move] of merchantMoves.entries()) await addRows(before, `MOVE-${at}`, move[1])
    for (const [at, move] of agentMoves.entries()) {
      const agent = await addAgent(100)
      agentIds.moves.push(agent)
      await addMerchant(`AGENT-${at}`, agent)
      await addRows(before, `AGENT-${at}`, move[1])
    }
    const parent = await addAgent(60)
    overrides = { parent, child: await addAgent(50, parent) }
    await addMerchant('OVERRIDE', overrides.child)
    await addRows(before, 'OVERRIDE', { Aurora: 10_000 })
    expect((await publish(portal.admin, '2026-08')).status).toBe(200)

    for (const [at, move] of merchantMoves.entries()) await addRows(now, `MOVE-${at}`, move[2])
    for (const [at, move] of agentMoves.entries()) await addRows(now, `AGENT-${at}`, move[2])
    await addRows(now, 'OVERRIDE', { Aurora: 13_000.1 })
    for (const [at, [net]] of lossOf.entries()) await addRows(now, `LOSS-${at}`, { Aurora: 10, Drift: net })
    for (const [percents] of chains) {
      const ids: number[] = []
      for (const percent of percents) ids.push(await addAgent(percent, ids.at(-1)))
      agentIds.chains.push(ids)
    }
    for (const [amounts, office] of dues) {
      const agent = await addAgent(50)
      await sql('update master_agent set isofficeaccount = $2 where id = $1', [agent, office])
      agentIds.dues.push(agent)
      await sql(
        `insert into adjustment (masteragentid, month, amount, reason, author)
          select $1, $2, amount, 'r', 'a' from unnest($3::numeric[]) amount`,
        [agent, now, amounts],
      )
    }
    findings = ((await portal.admin.call('GET', '/api/v1/month/2026-09')).body as MonthDetail).findings
  }, 60_000)
  afterAll(() => portal.close())

  test.each(merchantMoves.map(([name, , , difference], at) => [name, difference, at] as const))(
    'names a merchant that moved %s: %s',
    (_, difference, at) => expect(amountOf(`merchant-moved:MOVE-${at}`)).toBe(difference),
  )

  test.each(agentMoves.map(([name, , , difference], at) => [name, difference, at] as const))(
    'names an agent that moved %s: %s',
    (_, difference, at) => expect(amountOf(`agent-moved:${agentIds.moves[at]}`)).toBe(difference),
  )

  test('names an agent whose override moved as well', () => {
    expect(amountOf(`agent-moved:${overrides.parent}`)).toBe(300.01)
    expect(amountOf(`agent-moved:${overrides.child}`)).toBe(1500.05)
  })

  test('leads from a merchant to its record, or where there is none to the search for it', async () => {
    const linkOf = (key: string) => findings.find((it) => it.key === key)!.link
    const [merchant] = await sql(`select id from merchant where xmid = 'OVERRIDE'`)
    expect(linkOf('merchant-moved:OVERRIDE')).toBe(`/manage/merchants?open=${merchant!['id']}`)
    expect(linkOf('merchant-moved:MOVE-1')).toBe('/manage/merchants?search=MOVE-1')
    expect(linkOf('merchant-loss:Drift LOSS-0')).toBe('/manage/merchants?search=LOSS-0')
  })

  test('leads from an agent that moved to what made the difference', () =>
    expect(findings.find(({ key }) => key === `agent-moved:${overrides.child}`)!.link).toBe(
      `/reporting?report=statement-compared&month=2026-09&agent=${overrides.child}&before=2026-08&run=1`,
    ))

  test.each(lossOf.map(([net, isFound], at) => [net, isFound, at] as const))(
    'names the row of a merchant with a net of %d beside another row as a loss: %s',
    (net, isFound, at) => expect(amountOf(`merchant-loss:Drift LOSS-${at}`)).toBe(isFound ? net : null),
  )

  test.each(chains.map(([percents, above, sums], at) => [percents, above, sums, at] as const))(
    'of agents with %j %%, each below the one before, names those above their parent: %j; with more than 100 %% in all: %j',
    (_, above, sums, at) => {
      const ids = agentIds.chains[at]!
      const foundOf = (kind: FindingKind) =>
        ids.flatMap((id, place) => (keysOf(kind).includes(`${kind}:${id}`) ? [place] : []))
      expect(foundOf('percent-above-parent')).toEqual(above)
      expect(foundOf('shares-above-100')).toEqual(sums)
    },
  )

  test.each(dues.map(([amounts, office, due], at) => [amounts, office, due, at] as const))(
    'of an agent without bank data and adjustments of %j, an office account: %s, names what cannot be paid: %s',
    (_amounts, _office, due, at) => expect(amountOf(`hold:${agentIds.dues[at]}`)).toBe(due),
  )
})
