import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { describe, expect, test } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../machines/decision.machine.ts'
import { downloadMachine } from '../../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../../machines/list.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import { modalMachine, type Draft, type StoredRecord } from '../../../machines/modal.machine.ts'
import type { ListQuery } from '../../../schemas/api/paging.ts'
import { adjustment } from '../../../schemas/entities/adjustment.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'
import { masterAgent, type BankPending } from '../../../schemas/entities/masterAgent.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { Failure } from '../../../src/api/failure.ts'
import { EntityPage } from '../../../src/features/entity/EntityPage.tsx'
import { ReviewQuestion } from '../../../src/features/entity/record/RecordReview.tsx'
import { newUser } from '../newUser.ts'
import { fakeSession } from '../sessionContext.tsx'
import { expectClean, viewerWith } from './entityScreen.tsx'

const pending: BankPending = {
  by: 'ann',
  at: 1_767_225_600,
  fields: ['payeeid', 'bankaccountnumber'],
  source: '',
  canconfirm: true,
}
const decider = viewerWith('lock_reports', 'manage_master_agents')
const twoPeople = 'You entered this account: another person must confirm it'

type Sent = { subject: DecisionSubject | null; text: string }

const payhold = { by: 'bob', at: 1_767_225_600, reason: 'Left without a word' }
const openAgent = (viewer: Viewer, bankpending: BankPending | null, refuse: unknown[] = []) =>
  openRecord(masterAgent, viewer, { ...agent, bankpending }, refuse)
const agent: StoredRecord = {
  id: 7,
  version: 3,
  name: 'North',
  parentid: 0,
  routingnumber: '021000021',
  bankaccountnumber: '*****5678',
  isbankaccounttypechecking: true,
  isbankaccounttypebusiness: true,
  collectionSubscriptions: [],
}

/** The dialog of record 7 in memory; `refuse` is what the decisions are answered, one after the other. */
const openRecord = (entity: Entity, viewer: Viewer, row: StoredRecord, refuse: unknown[] = []) => {
  const edge = { row, sent: [] as Sent[], reads: 0, loads: 0 }
  const list = listMachine.provide({
    actors: {
      load: fromPromise<ListResult, ListQuery>(async () => {
        edge.loads += 1
        return { data: [edge.row], total_length: 1 }
      }),
    },
  })
  const modal = modalMachine.provide({
    actors: {
      read: fromPromise<StoredRecord, { id: number | null }>(async () => {
        edge.reads += 1
        return edge.row
      }),
      save: fromPromise<unknown, { row: StoredRecord | null; draft: Draft; overwrite: boolean }>(
        () => new Promise(() => {}),
      ),
    },
  })
  const decision = decisionMachine.provide({
    actors: {
      decide: fromPromise<unknown, Sent>(async ({ input }) => {
        edge.sent.push(input)
        const refusal = refuse.shift()
        if (refusal) throw refusal
        edge.row = { ...edge.row, version: 4, bankpending: null }
      }),
    },
  })
  const views = {
    counts: loadMachine,
    list: loadMachine,
    save: () => decisionMachine,
    remove: decisionMachine,
  }
  const router = createMemoryRouter(
    [
      {
        path: '/records',
        element: (
          <EntityPage
            entity={entity}
            {...{ list, modal, decision, viewer }}
            searchRecords={async () => []}
            tools={{
              file: downloadMachine,
              allRows: () => loadMachine,
              views,
            }}
          />
        ),
      },
    ],
    { initialEntries: ['/records?open=7'] },
  )
  const { container } = render(<RouterProvider router={router} />)
  return { edge, container }
}
const notice = () => screen.findByRole('note', { name: 'Pending' }, { timeout: 5_000 })
const button = (name: string) => screen.queryByRole('button', { name })
const asked = (name: string) => screen.findByRole('dialog', { name })
const opened = () => screen.findByRole('textbox', { name: 'Routing #' }, { timeout: 5_000 })

describe('a pending account', () => {
  test('is shown in the group of the bank account: who entered it, when, and which fields', async () => {
    openAgent(decider, pending)
    const group = (await notice()).closest('fieldset')!
    expect(within(group).getByText('Bank account')).toBeVisible()
    const text = (await notice()).textContent
    expect(text).toMatch(/Pending: entered by ann on .*(2025|2026)/)
    expect(text).toContain('Changed: Payee, Bank Account #.')
  })

  test('that a file brought says which', async () => {
    openAgent(decider, { ...pending, source: 'the return file of 10/13/2026' })
    expect((await notice()).textContent).toContain(
      'Changed: Payee, Bank Account #, by the return file of 10/13/2026.',
    )
  })

  test('is not shown of an account that is in force, nor on a new agent', async () => {
    openAgent(decider, null)
    await opened()
    expect(screen.queryByRole('note', { name: 'Pending' })).toBeNull()
    expect(button('Confirm')).toBeNull()
  })

  test('leaves the form unchanged: it closes without a question', async () => {
    openAgent(decider, null)
    await opened()
    await newUser().click(button('Cancel')!)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  test('offers Confirm and Reject to a person who may do both, and has no fault for a screen reader', async () => {
    openAgent(decider, pending)
    await notice()
    expect([button('Confirm'), button('Reject')].every((it) => it && !it.hasAttribute('disabled'))).toBe(true)
    await expectClean(document.body)
  })

  test('offers an author Reject alone, and says why', async () => {
    openAgent(decider, { ...pending, canconfirm: twoPeople })
    expect((await notice()).textContent).toContain(twoPeople)
    expect(button('Confirm')).toBeNull()
    expect(button('Reject')).toBeVisible()
  })

  test.each([
    ['Lock reports', viewerWith('manage_master_agents')],
    ['Manage master agents', viewerWith('lock_reports', 'edit_commission')],
    ['the sight of all', { ...decider, seesall: false }],
  ])('offers nothing without %s, and says what is needed once', async (what, viewer) => {
    openAgent(viewer, { ...pending, canconfirm: 'no' })
    const text = (await notice()).textContent ?? ''
    expect(text.split(what)).toHaveLength(2)
    expect(button('Confirm') ?? button('Reject')).toBeNull()
  })

  test('waits for changes of the form to be saved or discarded', async () => {
    openAgent(decider, pending)
    await newUser().type(await opened(), '9')
    expect(button('Confirm')!.hasAttribute('disabled')).toBe(true)
    expect(button('Confirm')).toHaveAccessibleDescription('Save or discard your changes first')
    expect((await notice()).textContent).toContain('Save or discard your changes first')
  })

  test('is not decided while the record is saved, though nothing was changed', async () => {
    openAgent(decider, pending)
    await opened()
    expect(button('Confirm')).toBeEnabled()
    await newUser().click(button('Save')!)
    expect([button('Confirm'), button('Reject')].map((it) => it!.hasAttribute('disabled'))).toEqual([
      true,
      true,
    ])
  })
})

describe('a decision', () => {
  test('asks how, sends the text and the version that was seen, and reads record and list again', async () => {
    const { edge } = openAgent(decider, pending)
    await notice()
    const { loads, reads } = edge
    await newUser().click(button('Confirm')!)
    const dialog = await asked('Confirm the bank account')
    await newUser().type(within(dialog).getByRole('textbox', { name: 'How it was confirmed' }), 'called back')
    await newUser().click(within(dialog).getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(edge.reads).toBe(reads + 1))
    expect(edge.sent).toEqual([{ subject: { name: 'confirm', id: 7, version: 3 }, text: 'called back' }])
    await opened()
    await waitFor(() => expect(screen.queryByRole('note', { name: 'Pending' })).toBeNull())
    expect(edge.loads).toBeGreaterThan(loads)
  })

  test.each([
    ['Confirm', 'Confirm the bank account', 'How it was confirmed'],
    ['Reject', 'Reject the bank account', 'Reason'],
  ])('%s refuses a text that is too short, and Cancel sends nothing', async (name, title, label) => {
    const { edge } = openAgent(decider, pending)
    await notice()
    await newUser().click(button(name)!)
    const dialog = await asked(title)
    await newUser().type(within(dialog).getByRole('textbox', { name: label }), 'ab')
    await newUser().click(within(dialog).getByRole('button', { name }))
    expect(await within(dialog).findByText(`${label} needs at least 3 characters`)).toBeVisible()
    await newUser().click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull())
    expect(edge.sent).toEqual([])
    expect(await notice()).toBeVisible()
  })

  test('that is refused stays open with the sentence of the server', async () => {
    const { edge } = openAgent(decider, pending, [
      new Failure(422, 'no', { fields: { reason: 'Reason needs more' } }),
    ])
    await notice()
    await newUser().click(button('Reject')!)
    const dialog = await asked('Reject the bank account')
    await newUser().type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'not theirs')
    await newUser().click(within(dialog).getByRole('button', { name: 'Reject' }))
    expect(await within(dialog).findByText('Reason needs more')).toBeVisible()
    expect(edge.sent).toHaveLength(1)
  })

  test('about a record that changed meanwhile says so, and reads it again', async () => {
    const { edge } = openAgent(decider, pending, [new Failure(409, 'changed', { code: 'stale' })])
    await notice()
    await newUser().click(button('Confirm')!)
    const dialog = await asked('Confirm the bank account')
    await newUser().type(within(dialog).getByRole('textbox', { name: 'How it was confirmed' }), 'called back')
    await newUser().click(within(dialog).getByRole('button', { name: 'Confirm' }))
    const { reads } = edge
    const question = await screen.findByRole('alertdialog', {
      name: 'Somebody else changed this record meanwhile',
    })
    await newUser().click(within(question).getByRole('button', { name: 'Reload' }))
    await waitFor(() => expect(edge.reads).toBe(reads + 1))
  })
})

describe('the question of a decision', () => {
  const ask = (
    subject: DecisionSubject,
    person = fakeSession(),
    isSent = false,
    entity: Entity = masterAgent,
  ) => {
    const machine = decisionMachine.provide({
      actors: { decide: fromPromise<unknown, Sent>(() => new Promise(() => {})) },
    })
    const actor = createActor(machine).start()
    actor.send({ type: 'ask', subject })
    if (isSent) actor.send({ type: 'decide', text: 'x' })
    render(
      person.drawnFor(<ReviewQuestion entity={entity} snapshot={actor.getSnapshot()} send={actor.send} />),
    )
  }
  const seen = { name: 'confirm', id: 7, version: 3 }

  test('offers what was typed when the session ended for the same decision about the same version alone', async () => {
    const offers = async (subject: DecisionSubject) => {
      ask(subject)
      await screen.findByRole('textbox')
      const count = screen.queryAllByText('Restore what you typed?').length
      cleanup()
      return count
    }
    const person = fakeSession()
    ask(seen, person)
    await newUser().type(await screen.findByRole('textbox'), 'called back')
    person.end()
    cleanup()
    expect(await offers({ ...seen, name: 'reject' })).toBe(0)
    expect(await offers({ ...seen, id: 8 })).toBe(0)
    expect(await offers({ ...seen, version: 4 })).toBe(0)
    expect(await offers(seen)).toBe(1)
  })

  test.each<[name: string, button: string, entity: Entity]>([
    ['confirm', 'Confirm', masterAgent],
    ['accept', 'Accept', adjustment],
  ])('of %s cannot be sent twice', async (name, button, entity) => {
    ask({ ...seen, name }, fakeSession(), true, entity)
    expect(await screen.findByRole('button', { name: button })).toHaveAttribute('aria-disabled', 'true')
  })
})

describe('the payments of an agent', () => {
  const locker = viewerWith('lock_reports')
  const note = (name: string) => screen.findByRole('note', { name }, { timeout: 5_000 })
  const decided = async (name: string, title: string) => {
    await newUser().click(button(name)!)
    const dialog = await asked(title)
    await newUser().type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'x')
    await newUser().click(within(dialog).getByRole('button', { name }))
  }

  test('are held with a reason, beside the bank account', async () => {
    const { edge } = openRecord(masterAgent, locker, { ...agent, payhold: null })
    expect((await note('Payments')).textContent).toContain('Payments: Nobody holds them.')
    await expectClean(document.body)
    await decided('Hold', 'Hold the payments')
    await waitFor(() => expect(edge.sent).toMatchObject([{ subject: { name: 'hold', id: 7 }, text: 'x' }]))
  })

  test('that are held say by whom and why, and the hold is ended with a reason', async () => {
    const { edge } = openRecord(masterAgent, locker, { ...agent, payhold, bankpending: pending })
    expect((await note('Held')).textContent).toMatch(
      /Held: set by bob on .*Reason: Left without a word\. Nothing is paid to this agent itself until/,
    )
    expect(await notice()).toBeVisible()
    expect(button('Hold')).toBeNull()
    await decided('End Hold', 'End the hold')
    await waitFor(() => expect(edge.sent).toMatchObject([{ subject: { name: 'unhold', id: 7 }, text: 'x' }]))
  })

  test('that are held are not released by a person who belongs to the agent, who is told why', async () => {
    openRecord(masterAgent, locker, { ...agent, payhold, ownchain: true })
    expect((await note('Held')).textContent).toContain(
      'This is your own agent or one above it: somebody else must end its hold',
    )
    expect(button('End Hold')).toBeNull()
  })

  test.each([null, payhold])('of an office account are not offered to be held; held: %j', async (hold) => {
    openRecord(masterAgent, locker, { ...agent, isofficeaccount: true, payhold: hold })
    await opened()
    expect(button('End Hold') !== null).toBe(hold !== null)
    expect(button('Hold')).toBeNull()
  })

  test.each([
    ['Lock reports', viewerWith('manage_master_agents')],
    ['the sight of all', { ...viewerWith('lock_reports', 'edit_commission'), seesall: false }],
  ])('are not offered to be held without %s', async (_, viewer) => {
    openRecord(masterAgent, viewer, { ...agent, payhold: null })
    await opened()
    expect(screen.queryByRole('note', { name: 'Payments' })).toBeNull()
    expect(button('Hold')).toBeNull()
  })
})

describe('a proposed adjustment', () => {
  const proposal = (state: string): StoredRecord => ({
    id: 7,
    version: 3,
    month: '2090-01',
    masteragentid: 2,
    merchantid: null,
    amount: 5,
    reason: 'Correction',
    author: 'ann',
    recorded: 1_767_225_600,
    state,
    decidedby: '',
    decisionreason: '',
  })
  const locker = viewerWith('lock_reports')

  test('is accepted after a question, which names the version that was seen', async () => {
    const { edge } = openRecord(adjustment, locker, proposal('proposed'))
    const text = (await notice()).textContent
    expect(text).toMatch(/entered by ann on .*part of no statement/)
    await newUser().click(button('Accept')!)
    const question = await screen.findByRole('alertdialog', { name: 'Accept this adjustment?' })
    await newUser().click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(edge.sent).toEqual([])
    await newUser().click(button('Accept')!)
    await newUser().click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Accept' }),
    )
    await waitFor(() =>
      expect(edge.sent).toEqual([{ subject: { name: 'accept', id: 7, version: 3 }, text: '' }]),
    )
  })

  test('is refused with a reason', async () => {
    const { edge } = openRecord(adjustment, locker, proposal('proposed'))
    await notice()
    await newUser().click(button('Refuse')!)
    const dialog = await asked('Refuse the adjustment')
    await newUser().type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'not agreed')
    await newUser().click(within(dialog).getByRole('button', { name: 'Refuse' }))
    await waitFor(() =>
      expect(edge.sent).toMatchObject([{ subject: { name: 'refuse' }, text: 'not agreed' }]),
    )
  })

  test('shows who sees a branch why they do not decide', async () => {
    openRecord(adjustment, { ...locker, seesall: false }, proposal('proposed'))
    expect((await notice()).textContent).toContain('Needs the sight of all master agents')
    expect(button('Accept') ?? button('Refuse')).toBeNull()
  })

  test.each(['accepted', 'refused'])('that is %s already offers no decision', async (state) => {
    openRecord(adjustment, locker, proposal(state))
    await screen.findByRole('textbox', { name: 'Author' }, { timeout: 5_000 })
    expect(screen.queryByRole('note', { name: 'Pending' })).toBeNull()
  })
})
