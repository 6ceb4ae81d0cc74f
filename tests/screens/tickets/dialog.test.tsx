import { act, render, screen, within } from '@testing-library/react'
import { useSelector } from '@xstate/react'
import { MemoryRouter } from 'react-router-dom'
import { expect, test } from 'vitest'
import { createActor, fromPromise, waitFor, type ActorRefFrom } from 'xstate'
import { downloadMachine, type Downloaded } from '../../../machines/download.machine.ts'
import { modalMachine, type Draft, type StoredRecord } from '../../../machines/modal.machine.ts'
import type { Ticket } from '../../../schemas/api/tickets.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { Failure } from '../../../src/api/failure.ts'
import { TicketDialog } from '../../../src/features/tickets/TicketDialog.tsx'
import { formatLocalDateTime } from '../../../src/parts/format.ts'
import { viewerWith } from '../forms/form.tsx'
import { newUser } from '../newUser.ts'

const ticket: Ticket = {
  id: 7,
  version: 1,
  agentoffice: 'North',
  agentname: 'Ann',
  email: 'a@b.c',
  tickettypeid: 9,
  subject: 'It is silent',
  statusid: 1,
  reporter: 'ann',
  created: 1_790_000_000,
  own: true,
  attachments: 1,
  description: 'It does not ring.',
  files: [{ id: 3, name: 'a.txt', mimetype: 'text/plain', size: 2000 }],
}

const Dialog = ({
  actor,
  download,
  viewer,
}: {
  actor: ActorRefFrom<typeof modalMachine>
  download: typeof downloadMachine
  viewer: Viewer
}) => (
  <TicketDialog
    snapshot={useSelector(actor, (state) => state)}
    send={actor.send}
    viewer={viewer}
    download={download}
  />
)

type Saving = { row: StoredRecord | null; draft: Draft; overwrite: boolean }

/** Draws the dialog of `ticket`; what is saved or deleted is never answered. */
const openDialog = async (shown: Ticket, download: typeof downloadMachine, viewer = viewerWith()) => {
  const modal = modalMachine.provide({
    actors: {
      read: fromPromise<StoredRecord, { id: number | null }>(async () => ({ ...shown })),
      save: fromPromise<unknown, Saving>(() => new Promise(() => {})),
      remove: fromPromise<unknown, { row: StoredRecord | null }>(() => new Promise(() => {})),
    },
  })
  const allowed = { create: false, open: true, remove: true }
  const actor = createActor(modal, { input: { allowed } }).start()
  actor.send({ type: 'open', id: 7 })
  await waitFor(actor, (state) => state.matches('editing'))
  const drawn = render(
    <MemoryRouter>
      <Dialog {...{ actor, download, viewer }} />
    </MemoryRouter>,
  )
  return { ...drawn, actor }
}

test.each([
  [404, true],
  [403, false],
  [500, false],
])('of attachments one whose download fails with %i is no longer there: %s', async (status, isGone) => {
  const download = downloadMachine.provide({
    actors: {
      download: fromPromise<Downloaded, { id: string }>(async () => {
        throw new Failure(status, 'It did not come')
      }),
    },
  })
  const files = ['a.txt', 'b.txt'].map((name, at) => ({ ...ticket.files[0]!, id: 3 + at, name }))
  await openDialog({ ...ticket, files }, download)
  const rowOf = (name: string) => screen.getByText(name).closest('li')!
  await newUser().click(screen.getByRole('button', { name: 'Download b.txt' }))
  await expect
    .poll(() => rowOf('b.txt').textContent)
    .toBe(isGone ? 'b.txtNo longer there' : 'b.txt2 kBTry again')
  expect(rowOf('a.txt')).toHaveTextContent('a.txt2 kBDownload')
})

test('an attachment has its size, while it is downloaded the percent once that is known, and then its size again', async () => {
  const calls: { progress: (percent: number) => void; refuse: (error: Error) => void }[] = []
  const download = downloadMachine.provide({
    actors: {
      download: fromPromise<Downloaded, { id: string }>(
        ({ self }) =>
          new Promise((_, refuse) => {
            const progress = (percent: number) => self._parent?.send({ type: 'progress', percent })
            calls.push({ progress, refuse })
          }),
      ),
    },
  })
  await openDialog(ticket, download)
  expect(screen.getByText(formatLocalDateTime(ticket.created))).toBeVisible()
  const row = within(screen.getByText('a.txt').closest('li')!)
  const press = (name: string) => newUser().click(row.getByRole('button', { name }))
  const shows = (text: string) => expect(row.getByText(/ (kB|KB|%)$/)).toHaveTextContent(text)

  shows('2 kB')
  await press('Download a.txt')
  shows('2 kB')
  act(() => calls[0]!.progress(0))
  shows('0 %')
  act(() => calls[0]!.progress(42))
  shows('42 %')
  await press('Cancel a.txt')
  shows('2 kB')
  await press('Download a.txt')
  shows('2 kB')
  act(() => calls[1]!.progress(7))
  await act(async () => calls[1]!.refuse(new Error('away')))
  shows('2 kB')
  await press('Try again a.txt')
  expect(calls).toHaveLength(3)
})

test('a download ends with the dialog', async () => {
  const signals: AbortSignal[] = []
  const download = downloadMachine.provide({
    actors: {
      download: fromPromise<Downloaded, { id: string }>(({ signal }) => {
        signals.push(signal)
        return new Promise(() => {})
      }),
    },
  })
  const { unmount } = await openDialog(ticket, download)
  await newUser().click(screen.getByRole('button', { name: 'Download a.txt' }))
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  unmount()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test.each([
  ['who manages tickets', 0, ['Cancel', 'Save', 'Delete'], viewerWith('manage_tickets')],
  ['anybody else', 1, ['Close'], viewerWith()],
])('to %s the details say the status %i times, above the buttons %j', async (_, times, names, viewer) => {
  await openDialog(ticket, downloadMachine, viewer)
  expect(screen.queryAllByText('Status', { selector: 'dt' })).toHaveLength(times)
  const offered = [...document.querySelectorAll('.bp6-dialog-footer button')]
  expect(offered.map(({ textContent }) => textContent).toSorted()).toEqual(names.toSorted())
})

test('a status that is chosen back is no change', async () => {
  const { actor } = await openDialog(ticket, downloadMachine, viewerWith('manage_tickets'))
  const status = screen.getByLabelText('Status')
  await newUser().selectOptions(status, '2')
  expect(actor.getSnapshot().context.dirty).toBe(true)
  await newUser().selectOptions(status, String(ticket.statusid))
  expect(actor.getSnapshot().context.dirty).toBe(false)
})

test.each<[string, Parameters<ActorRefFrom<typeof modalMachine>['send']>[0][], Record<string, boolean>]>([
  ['shown', [], { Cancel: true, Save: true, Delete: true, Status: true }],
  ['saved', [{ type: 'save', draft: {} }], { Cancel: false, Save: false, Delete: false, Status: false }],
  [
    'deleted',
    [{ type: 'delete' }, { type: 'confirm' }],
    { Cancel: false, Save: false, Delete: false, Status: false },
  ],
])('while a ticket is %s its controls are open or closed', async (_, steps, expected) => {
  const { actor } = await openDialog(ticket, downloadMachine, viewerWith('manage_tickets'))
  for (const step of steps) act(() => actor.send(step))
  const own = within(document.querySelector<HTMLElement>('.dialog-large')!)
  const isOpen = (name: string) => {
    const control =
      name === 'Status' ? own.getByLabelText(name) : own.getByRole('button', { name, hidden: true })
    return !(control as HTMLButtonElement).disabled
  }
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, isOpen(name)]))).toEqual(expected)
})

test('what is blank of a ticket has no heading in its dialog', async () => {
  await openDialog({ ...ticket, agentname: '' }, downloadMachine)
  const titles = [...document.querySelectorAll('.ticket-details dt')].map(({ textContent }) => textContent)
  expect(titles).toContain('Agent Office')
  expect(titles).not.toContain('Agent Name')
})

const merchant = (number: string) => [number, `/manage/merchants?search=${number}`]
test.each([
  ['1234567890 calls', 'no number', []],
  ['88345678901 - Meadow', '1234567890123456', [merchant('88345678901'), merchant('1234567890123456')]],
  ['12345678901234567', 'X88345678901 88345678901x', []],
  // The lowest and the highest digits that begin the area code and the exchange of a telephone number.
  ['12002000000 or 19999999999', '+442071234567', []],
  ['11002000000', '12001000000', [merchant('11002000000'), merchant('12001000000')]],
  ['142025501341', '22002000000', [merchant('142025501341'), merchant('22002000000')]],
  ['00527300000', 'again: 00527300000.', [merchant('00527300000')]],
  ['(MA0002)', 'MA123 XMA0003', [['MA0002', '/manage/agents?search=MA0002']]],
  [
    'many',
    Array.from({ length: 11 }, (_, at) => 10_000_000_000 + at).join(),
    Array.from({ length: 10 }, (_, at) => merchant(String(10_000_000_000 + at))),
  ],
])('a ticket of %s and %s leads to the lists of what it mentions', async (subject, description, expected) => {
  await openDialog({ ...ticket, subject, description }, downloadMachine)
  const links = [...document.querySelectorAll('.record-links a')]
  expect(links.map((it) => [it.textContent, it.getAttribute('href')])).toEqual(expected)
})

test('the address of a ticket begins an email about it', async () => {
  const fees = { ...ticket, email: 'a+b@c.d', subject: 'Fees & taxes?' }
  await openDialog({ ...fees, own: false }, downloadMachine)
  expect(screen.getByRole('link', { name: 'a+b@c.d' })).toHaveAttribute(
    'href',
    'mailto:a%2Bb@c.d?subject=Ticket%207%3A%20Fees%20%26%20taxes%3F',
  )
})

test('the address of an own ticket is no link: nobody answers themselves', async () => {
  await openDialog({ ...ticket, email: 'a+b@c.d', own: true }, downloadMachine)
  expect(screen.getByText('a+b@c.d')).toBeVisible()
  expect(screen.queryByRole('link', { name: 'a+b@c.d' })).toBeNull()
})
