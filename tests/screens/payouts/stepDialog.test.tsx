import { cleanup, render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createActor, fromPromise, waitFor, type ActorRefFrom } from 'xstate'
import {
  monthMachine,
  type MonthView,
  type StepRequest,
  type ViewRequest,
} from '../../../machines/month.machine.ts'
import type { MonthDifferences } from '../../../schemas/api/months/differences.ts'
import type { MonthDetail, Payout } from '../../../schemas/api/months/months.ts'
import { StepDialog } from '../../../src/features/payouts/StepDialog.tsx'
import { payoutOf, release } from '../month/monthData.ts'
import { newUser } from '../newUser.ts'
import { fakeSession } from '../sessionContext.tsx'

type Asked = Parameters<ActorRefFrom<typeof monthMachine>['send']>[0]

/**
 * The question before a step is done with these payouts. Returns what is sent with the step. With `fields` it
 * was sent already and refused with these messages.
 */
const ask = async (
  asked: Asked,
  payout: Payout,
  person = fakeSession(),
  differences: MonthDifferences | null = null,
  fields?: Record<string, string>,
) => {
  const month = { month: payout.month, state: payout.state, version: payout.version }
  const view: MonthView = {
    months: [month],
    month,
    payout,
    released: payout,
    differences,
    detail: null,
  }
  const sent: StepRequest['values'][] = []
  const machine = monthMachine.provide({
    actors: {
      view: fromPromise<MonthView, ViewRequest>(async () => view),
      step: fromPromise<MonthDetail | null, StepRequest>(async ({ input }) => {
        sent.push(input.values)
        if (fields) throw Object.assign(new Error('It is refused'), { fields })
        return null
      }),
    },
  })
  const allowed = { typeTotals: true, settle: true, reopen: true }
  const actor = createActor(machine, { input: { allowed, wanted: null } }).start()
  actor.send({ type: 'load' })
  await waitFor(actor, (state) => state.can(asked))
  actor.send(asked)
  if (fields) {
    actor.send({ type: 'confirm', values: {} })
    await waitFor(actor, (state) => state.context.faults === fields)
  }
  render(person.drawnFor(<StepDialog snapshot={actor.getSnapshot()} send={actor.send} />))
  return sent
}

test.each([
  [[12], '1 payee'],
  [[12, 0, 5], '2 payees'],
])('who approves payouts of %j is told of %s', async (payables, payees) => {
  const [entry] = payoutOf({}).entries
  const entries = payables.map((payable, n) => ({ ...entry!, masteragentid: n + 2, payable }))
  await ask({ type: 'approve' }, payoutOf({ entries, total: 1234.5 }))
  const text = `Approve the payouts of October 2026? $1,234.50 are paid to ${payees} once they are released.`
  expect(await screen.findByText((said) => said.startsWith(text))).toBeVisible()
})

test.each<[Asked['type'], label: RegExp, field: string]>([
  ['release', /^Effective/, 'date'],
  ['hold', /^Reason/, 'reason'],
  ['unhold', /^Reason/, 'reason'],
  ['reopen', /^Reason/, 'reason'],
  ['bookReturn', /^Trace Number/, 'trace'],
])('what the server refuses of the step %s is said at its field', async (type, label, name) => {
  const payout = payoutOf({ state: type === 'release' ? 'approved' : 'locked', releases: [release] })
  const asked = { type, entry: payout.entries[0]! } as Asked
  await ask(asked, payout, undefined, null, { [name]: 'This is not possible' })
  const field = await screen.findByLabelText(label)
  expect(field).toHaveAccessibleDescription('This is not possible')
  expect(field).toHaveFocus()
})

test('the dialog of a release names what will be paid', async () => {
  await ask({ type: 'release' }, payoutOf({ state: 'approved', total: 1234.5 }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Release the payouts of October 2026' }))
  expect(dialog.getByText(/^\$1,234\.50 go out\./)).toBeVisible()
})

test.each<[string, number[], number[], string]>([
  ['nothing', [], [], 'Nothing of it was released yet.'],
  [
    '$0.30',
    [0.1, 0.2],
    [0, 0],
    '$0.30 were released and stay paid: the next version pays only what is missing.',
  ],
  [
    '$0.40, of which $0.10 came back,',
    [0.2, 0.2],
    [0, 0.1],
    '$0.30 were released and stay paid: the next version pays only what is missing.',
  ],
  ['$0.40, all of which came back,', [0.4], [0.4], 'Nothing of it was released that did not come back.'],
])(
  'who opens a month again of which %s was released is told what that means',
  async (_, totals, backs, sentence) => {
    const releases = totals.map((total, id) => ({ ...release, id, total, returnedtotal: backs[id]! }))
    await ask({ type: 'reopen' }, payoutOf({ version: 3, releases }))
    const text = `${sentence} Agents have seen their statements of version 3, which is kept.`
    expect(await screen.findByText(text)).toBeVisible()
  },
)

test.each([
  [true, 'file'],
  [false, 'other'],
])('a month is released as a bank file where there is a bank (%s): %s', async (canfile, how) => {
  const sent = await ask({ type: 'release' }, payoutOf({ state: 'approved', canfile }))
  const dialog = within(await screen.findByRole('dialog'))
  const ways = within((await dialog.findAllByRole('combobox'))[0]!).getAllByRole('option')
  expect(ways.map(({ textContent }) => textContent)).toEqual([
    ...(canfile ? ['As a bank file'] : []),
    'In another way',
  ])
  await newUser().click(await dialog.findByRole('button', { name: 'Release' }))
  expect(sent).toEqual([{ how }])
})

test.each([
  ['2026-11-02', 'Monday 11/02/2026'],
  ['2027-01-01', 'Friday 01/01/2027'],
])('who releases without a day is told of the bank day %s', async (nextbankday, words) => {
  await ask({ type: 'release' }, payoutOf({ state: 'approved', nextbankday }))
  const sentence = new RegExp(`Without a day it takes effect on the next bank day, ${words}\\.`)
  expect(await screen.findByText(sentence)).toBeVisible()
})

test('a trace number with blanks around it and an amount with its signs are pasted as they are', async () => {
  const sent = await ask({ type: 'bookReturn' }, payoutOf({ releases: [release] }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Book a return of October 2026' }))
  const user = newUser()
  await user.click(await dialog.findByLabelText(/^Trace Number/))
  await user.paste(' 091000010000007 ')
  await user.type(dialog.getByLabelText(/^Return Code/), 'R02')
  await user.type(dialog.getByLabelText(/^Date/), '2026-11-10')
  await user.click(dialog.getByLabelText(/^Amount/))
  await user.paste('$1,234.50')
  await user.click(dialog.getByRole('button', { name: 'Book Return' }))
  expect(sent).toEqual([{ trace: '091000010000007', code: 'R02', date: '2026-11-10', amount: 1234.5 }])
})

test('a day that was typed and removed again is not sent with a release', async () => {
  const sent = await ask({ type: 'release' }, payoutOf({ state: 'approved', canfile: true }))
  const dialog = within(await screen.findByRole('dialog'))
  await newUser().type(await dialog.findByLabelText(/^Effective/), '2026-03-10')
  await newUser().clear(dialog.getByLabelText(/^Effective/))
  await newUser().click(dialog.getByRole('button', { name: 'Release' }))
  expect(sent).toEqual([{ how: 'file' }])
})

test('the return of a chosen payment names it and asks for code and day alone', async () => {
  const payment = {
    id: 7,
    month: '2026-10',
    trace: '091000010000007',
    payee: 'MA0002 - North',
    amount: 1234.5,
  }
  const sent = await ask({ type: 'bookReturn', payment }, payoutOf({ releases: [release] }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Book a return of October 2026' }))
  expect(dialog.getByText('MA0002 - North was paid $1,234.50, trace number 091000010000007.')).toBeVisible()
  await newUser().type(await dialog.findByLabelText(/^Return Code/), 'R02')
  await newUser().type(dialog.getByLabelText(/^Date/), '2026-11-10')
  expect(dialog.queryByLabelText(/^Trace Number|^Amount/)).toBeNull()
  await newUser().click(dialog.getByRole('button', { name: 'Book Return' }))
  expect(sent).toEqual([{ code: 'R02', date: '2026-11-10' }])
})

test('a payment from before the ledger is named without a trace number', async () => {
  const payment = { id: 7, month: '2026-10', trace: '', payee: 'MA0002 - North', amount: 5 }
  await ask({ type: 'bookReturn', payment }, payoutOf({ releases: [release] }))
  expect(await screen.findByText('MA0002 - North was paid $5.00.')).toBeVisible()
})

test('the return of a payment that was not chosen is sent with its trace number alone', async () => {
  const sent = await ask({ type: 'bookReturn' }, payoutOf({ releases: [release] }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Book a return of October 2026' }))
  await newUser().type(await dialog.findByLabelText(/^Return Code/), 'R02')
  await newUser().type(dialog.getByLabelText(/^Date/), '2026-11-10')
  await newUser().click(dialog.getByRole('button', { name: 'Book Return' }))
  expect(await dialog.findByText('Trace Number is required')).toBeVisible()
  expect(sent).toEqual([])
  await newUser().type(dialog.getByLabelText(/^Trace Number/), '7')
  await newUser().click(dialog.getByRole('button', { name: 'Book Return' }))
  expect(sent).toEqual([{ trace: '7', code: 'R02', date: '2026-11-10' }])
})

test.each([
  [false, {}],
  [true, { statement: true }],
])('a hold of one statement alone (%s) is sent with %j', async (isTicked, more) => {
  const payout = payoutOf({})
  const sent = await ask({ type: 'hold', entry: payout.entries[0]! }, payout)
  const dialog = within(await screen.findByRole('dialog', { name: 'Hold MA0002 - North' }))
  const ends =
    /The hold of a statement alone ends when the next month is locked, whose run pays what was carried/
  expect(dialog.getByText(ends)).toBeVisible()
  await newUser().type(await dialog.findByLabelText(/^Reason/), 'Disputed')
  if (isTicked) await newUser().click(dialog.getByRole('checkbox', { name: 'Only this statement' }))
  await newUser().click(dialog.getByRole('button', { name: 'Hold' }))
  expect(sent).toEqual([{ masteragentid: 2, reason: 'Disputed', ...more }])
})

test.each([
  [[2], 'Only this statement'],
  [[2, 5], 'Only the statement of MA0002'],
  [[5], null],
  [[], null],
])('a hold of a payee who is paid for %j offers of one statement: %s', async (statements, name) => {
  const payout = payoutOf({})
  await ask({ type: 'hold', entry: { ...payout.entries[0]!, statements } }, payout)
  const dialog = within(await screen.findByRole('dialog', { name: 'Hold MA0002 - North' }))
  await dialog.findByLabelText(/^Reason/)
  expect(
    dialog.queryAllByRole('checkbox').map((it) => (it as HTMLInputElement).labels![0]!.textContent),
  ).toEqual(name === null ? [] : [name])
})

test.each([
  [3, 0, '3 payments of this release, $80.00 in all, are booked as returned.'],
  [3, 1, '2 payments of this release, $49.50 in all, are booked as returned.'],
  [2, 1, '1 payment of this release, $49.50 in all, is booked as returned.'],
])(
  'the return of a release of %i payments, of which %i came back, says what is booked, and asks for code and day alone',
  async (payments, returned, text) => {
    const chosen = { ...release, payments, returned, total: 80, returnedtotal: returned === 0 ? 0 : 30.5 }
    const sent = await ask({ type: 'bookReturn', release: chosen }, payoutOf({ releases: [chosen] }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Book a return of October 2026' }))
    expect(dialog.getByText(text)).toBeVisible()
    await newUser().type(await dialog.findByLabelText(/^Return Code/), 'R17')
    await newUser().type(dialog.getByLabelText(/^Date/), '2026-11-10')
    expect(dialog.queryByLabelText(/^Trace Number|^Amount/)).toBeNull()
    await newUser().click(dialog.getByRole('button', { name: 'Book Return' }))
    expect(sent).toEqual([{ code: 'R17', date: '2026-11-10' }])
  },
)

test.each<['takeOver' | 'countCopy', number, string]>([
  [
    'takeOver',
    1,
    'Take over: Rates? The next version of October 2026 is worked out from what the records say now.',
  ],
  [
    'takeOver',
    2,
    'Take over: Rates (2)? The next version of October 2026 is worked out from what the records say now.',
  ],
  [
    'countCopy',
    1,
    'Count the copy again of: Rates? The next version of October 2026 is worked out from what version 3 copied.',
  ],
])('the question of %s about %i says what counts then: %s', async (type, count, text) => {
  const differences: MonthDifferences = {
    version: 3,
    reopenedat: 1_790_000_000,
    reopenedby: 'ann',
    reason: 'A wrong file',
    notes: [],
    kinds: [],
    data: [],
    total_length: 0,
  }
  const chosen = { keys: ['agent-rate'], count, what: 'Rates' }
  await ask({ type, chosen }, payoutOf({ state: 'open', version: 3 }), fakeSession(), differences)
  expect(await screen.findByRole('alertdialog', { name: text })).toBeVisible()
})

test('the end of a hold is sent with its payee and the reason', async () => {
  const payout = payoutOf({})
  const entry = { ...payout.entries[0]!, isheld: true, hold: 'Held by bob: Disputed' }
  const sent = await ask({ type: 'unhold', entry }, payout)
  const dialog = within(await screen.findByRole('dialog', { name: 'End the hold of MA0002 - North' }))
  await newUser().type(dialog.getByLabelText(/^Reason/), 'It was settled between them')
  await newUser().click(dialog.getByRole('button', { name: 'End Hold' }))
  expect(sent).toEqual([{ masteragentid: 2, reason: 'It was settled between them' }])
})

test('a reason that was typed when the session ended is offered for the same step, payee and month alone', async () => {
  const offered = async (asked: Asked, payout: Payout) => {
    await ask(asked, payout)
    await screen.findByLabelText(/^Reason/)
    const count = screen.queryAllByText('Restore what you typed?').length
    cleanup()
    return count
  }
  const payout = payoutOf({})
  const [entry] = payout.entries
  const person = fakeSession()
  await ask({ type: 'unhold', entry: entry! }, payout, person)
  await newUser().type(await screen.findByLabelText(/^Reason/), 'It was settled')
  person.end()
  cleanup()
  expect(await offered({ type: 'unhold', entry: entry! }, payoutOf({ month: '2026-09' }))).toBe(0)
  expect(await offered({ type: 'unhold', entry: { ...entry!, masteragentid: 3 } }, payout)).toBe(0)
  expect(await offered({ type: 'hold', entry: entry! }, payout)).toBe(0)
  expect(await offered({ type: 'unhold', entry: entry! }, payout)).toBe(1)
})

test('a code that was typed when the session ended is offered for the same payment or release alone', async () => {
  const paid = (id: number): Asked => ({
    type: 'bookReturn',
    payment: { id, month: '2026-10', trace: '', payee: 'MA0002 - North', amount: 5 },
  })
  const released = (id: number): Asked => ({ type: 'bookReturn', release: { ...release, id } })
  const payout = payoutOf({ releases: [release] })
  const offered = async (asked: Asked) => {
    await ask(asked, payout)
    await screen.findByLabelText(/^Return Code/)
    const count = screen.queryAllByText('Restore what you typed?').length
    cleanup()
    return count
  }
  for (const [chosen, others] of [
    [paid(7), [paid(8), released(7), { type: 'bookReturn' } as Asked]],
    [released(1), [released(2), paid(1)]],
  ] as const) {
    const person = fakeSession()
    await ask(chosen, payout, person)
    await newUser().type(await screen.findByLabelText(/^Return Code/), 'R02')
    person.end()
    cleanup()
    for (const other of others) expect(await offered(other)).toBe(0)
    expect(await offered(chosen)).toBe(1)
  }
})
