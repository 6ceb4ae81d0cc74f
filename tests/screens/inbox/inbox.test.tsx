import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { describe, expect, test } from 'vitest'
import { fromPromise, SimulatedClock } from 'xstate'
import { inboxMachine, type InboxTask } from '../../../machines/inbox/inbox.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import { mappingMachine } from '../../../machines/mapping.machine.ts'
import type { InboxFile, InboxListReply, InboxView } from '../../../schemas/api/inbox/inbox.ts'
import { noSource } from '../../../schemas/imports/answers.ts'
import { InboxList } from '../../../src/features/inbox/InboxList.tsx'
import { ActorEnvironmentContext } from '../../../src/parts/hooks/actorEnvironment.ts'
import { expectClean, press } from '../imports/importScreen.tsx'

const preview = {
  batch: null,
  source: noSource,
  inserted: 1200,
  updated: 3,
  unchanged: 0,
  totals: { rows: 1203, net: 1234.5 },
  warnings: ['One MID is not in the portfolio'],
  ignored: [],
  questions: [],
  rejected: 0,
  rows: [],
  more: 0,
  differences: [],
  repeated: null,
}
let next = 0
const fileOf = (given: Partial<InboxFile> = {}): InboxFile => {
  const id = ++next
  return {
    id,
    filename: `file ${id}.csv`,
    sha256: '0'.repeat(64),
    size: 1200,
    source: 'upload',
    username: 'ann',
    receivedat: 1_777_896_000,
    state: 'ready',
    kind: 'compdata',
    month: '2026-10',
    processor: 'Aurora',
    date: null,
    asks: null,
    answers: {},
    preview,
    faults: null,
    message: null,
    note: null,
    repeated: null,
    stored: null,
    by: null,
    endedat: null,
    ...given,
  }
}

const draw = async (
  files: InboxFile[],
  folder: InboxListReply['folder'] = null,
  month?: string,
  total = () => files.length,
) => {
  const edge = { views: [] as InboxView[], tasks: [] as InboxTask[], loads: 0, finish: () => {} }
  const machines = {
    list: (view: InboxView) => {
      edge.views.push(view)
      return loadMachine.provide({
        actors: {
          load: fromPromise<unknown>(async () => {
            edge.loads += 1
            return { data: files, total_length: total(), folder }
          }),
        },
      })
    },
    mapping: mappingMachine,
    work: inboxMachine.provide({
      actors: {
        work: fromPromise<unknown, { task: InboxTask | null }>(
          ({ input: { task } }) =>
            new Promise<void>((resolve) => {
              if (task) edge.tasks.push(task)
              edge.finish = resolve
            }),
        ),
      },
    }),
  }
  const clock = new SimulatedClock()
  const element = (
    <main>
      <h1>Inbox</h1>
      <InboxList machines={machines} {...(month !== undefined && { month })} />
    </main>
  )
  const router = createMemoryRouter(
    [
      { path: '/inbox', element },
      { path: '*', element: <main /> },
    ],
    { initialEntries: ['/inbox'] },
  )
  const { container } = render(
    <ActorEnvironmentContext value={{ clock }}>
      <RouterProvider router={router} />
    </ActorEnvironmentContext>,
  )
  /** Goes to another screen. Resolves with the screen that is shown then. */
  const leave = async (path = '/month') => {
    await act(() => router.navigate(path))
    return router.state.location.pathname
  }
  await screen.findByText(files.length > 0 ? /csv, / : /No file/)
  return {
    edge,
    container,
    leave,
    pass: (ms: number) => act(() => clock.increment(ms)),
    path: () => router.state.location.pathname,
  }
}
const finish = (edge: { finish: () => void }) => act(async () => edge.finish())

describe('the inbox', () => {
  test('says which of its two lists is shown', async () => {
    const { edge } = await draw([fileOf()])
    const pressed = () =>
      ['Waiting', 'Ended'].map((name) => screen.getByRole('button', { name }).getAttribute('aria-pressed'))
    expect([edge.views.at(-1)!.ended, ...pressed()]).toEqual([0, 'true', 'false'])
    await press('Ended')
    expect([edge.views.at(-1)!.ended, ...pressed()]).toEqual([1, 'false', 'true'])
  })

  test('names the file that replaced a refused file, and still shows its faults', async () => {
    const faults = { rows: [{ row: 4, column: 'Income', value: 'ten', message: 'is no amount' }], more: 0 }
    const note = 'b.csv was imported in its place.'
    await draw([fileOf({ state: 'replaced', faults, note, by: 'ann', endedat: 1_777_896_000 })])
    const item = within(screen.getAllByRole('listitem')[0]!)
    expect(item.getByText('Replaced')).toBeVisible()
    expect(item.getByText(/^Replaced by ann on /)).toBeVisible()
    expect(item.getByText(note)).toBeVisible()
    expect(item.getByText('1 fault in the file')).toBeVisible()
    expect(item.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Check again'])
  })

  test.each([
    ['nothing of a folder in which no file stays', [], 0],
    ['the files that stay in a folder', [{ filename: 'b.pdf', reason: 'It is no table.' }], 1],
  ] as const)('says %s', async (_, left, notices) => {
    await draw([fileOf()], { fault: null, left: [...left], more: 0 })
    expect(screen.queryAllByText(/These files of the watched folder are not taken/)).toHaveLength(notices)
  })

  const ended = { by: 'bob', endedat: 1_777_896_000 }
  const stored = { batch: 7, inserted: 1200, updated: 1, unchanged: 2 }
  test.each<[given: Partial<InboxFile>, text: string | null, buttons: string[]]>([
    [{ state: 'ready' }, null, ['Import', 'Dismiss']],
    [{ state: 'waiting' }, null, ['Check', 'Dismiss']],
    [{ state: 'refused' }, null, ['Check again', 'Dismiss']],
    [{ state: 'checking', by: 'bob' }, 'by bob', []],
    [{ state: 'importing', by: null }, 'by the portal', []],
    [
      { state: 'repeated', repeated: { username: 'cleo', importedat: 1_777_896_000, subject: null } },
      'The same file was imported before by cleo on May 4, 2026, 8:00 AM.',
      ['Import anyway', 'Check again', 'Dismiss'],
    ],
    [{ state: 'dismissed', ...ended }, 'Dismissed by bob on May 4, 2026, 8:00 AM.', ['Check again']],
    [
      { state: 'dismissed', ...ended, by: null },
      'Dismissed by somebody on May 4, 2026, 8:00 AM.',
      ['Check again'],
    ],
    [
      { state: 'imported', ...ended, stored },
      'Imported by bob on May 4, 2026, 8:00 AM: 1,200 added, 1 changed, 2 as they were.',
      [],
    ],
    [
      { state: 'undone', ...ended, stored },
      'Imported by bob on May 4, 2026, 8:00 AM: 1,200 added, 1 changed, 2 as they were. The import was undone.',
      ['Check again'],
    ],
  ])('describes a file that is %j as: %s, and offers %j', async (given, text, buttons) => {
    await draw([fileOf({ faults: { rows: [], more: 0 }, ...given })])
    const item = within(screen.getAllByRole('listitem')[0]!)
    const said = text === null ? [] : item.queryAllByText(text).map(({ textContent }) => textContent)
    expect(said).toEqual(text === null ? [] : [text])
    expect(item.queryAllByRole('button').map(({ textContent }) => textContent)).toEqual(buttons)
    expect(item.queryByText(/in the file$/)).toBeNull()
  })

  test('imports a file that was imported already after Import anyway, and no other file', async () => {
    const { edge } = await draw([
      fileOf({ state: 'repeated', filename: 'a.csv' }),
      fileOf({ filename: 'b.csv' }),
    ])
    await press('Import anyway a.csv')
    await finish(edge)
    await press('Import b.csv')
    expect(edge.tasks.map((task) => 'again' in task && task.again)).toEqual([true, false])
  })

  test.each([
    [1, 0, 0],
    [2, 0, 1],
    [2, 1, 0],
  ])('offers to import all of %i ready files in the list %i: %i', async (count, list, offers) => {
    await draw(Array.from({ length: count }, () => fileOf()))
    if (list === 1) await press('Ended')
    await screen.findByRole('list', { name: 'Files' })
    expect(screen.queryAllByRole('button', { name: /^Import all ready/ })).toHaveLength(offers)
  })

  test('imports all only once: the button is disabled while a file is being worked on', async () => {
    await draw([fileOf({ filename: 'a.csv' }), fileOf({ filename: 'b.csv' })])
    expect(screen.getByRole('button', { name: /^Import all ready/ })).toBeEnabled()
    await press('Dismiss a.csv')
    expect(screen.getByRole('button', { name: /^Import all ready/ })).toBeDisabled()
  })

  test('offers no page after the last one', async () => {
    const { edge } = await draw([fileOf()], null, undefined, () => 101)
    expect(screen.getByRole('button', { name: 'Previous' })).toBeDisabled()
    await press('Next')
    await screen.findByText('Page 2 of 2, 101 files')
    expect(edge.views.at(-1)).toMatchObject({ page: 2 })
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Previous' })).toBeEnabled()
  })

  test('with files in every state is accessible', async () => {
    const rows = [{ row: 4, column: 'Income', value: 'ten', message: 'is no amount' }]
    const { container } = await draw([
      fileOf(),
      fileOf({ state: 'waiting', kind: null, month: null, processor: null, preview: null }),
      fileOf({ state: 'checking', by: '' }),
      fileOf({ state: 'importing', by: 'bob' }),
      fileOf({
        state: 'asks',
        asks: { kind: { candidates: [], proposed: null } },
        message: 'Which one is it?',
      }),
      fileOf({ state: 'refused', faults: { rows, more: 2 }, preview: null }),
      fileOf({
        state: 'repeated',
        repeated: { username: 'bob', importedat: 1_777_896_000, subject: 'May 2026' },
      }),
    ])
    await expectClean(container)
    expect(screen.getByText('3 faults in the file')).toBeVisible()
    expect(screen.getByText(/^This file was imported already, for May 2026, by bob on /)).toBeVisible()
  })

  test('describes a file that grew after it was taken, and shows neither its figures nor an import', async () => {
    await draw([fileOf({ filename: 'a.csv', state: 'outgrown', note: 'a.csv grew after it was taken.' })])
    expect(screen.getByText('a.csv grew after it was taken.')).toBeVisible()
    expect(screen.getByText('Incomplete')).toBeVisible()
    expect(screen.queryByText('$1,234.50')).toBeNull()
    expect(screen.getAllByRole('button', { name: /a\.csv$/ }).map((it) => it.textContent)).toEqual([
      'Dismiss',
    ])
  })

  test.each([
    ['ann', 'by ann'],
    ['', 'by the portal'],
    [null, 'by the portal'],
  ])('says who checks a file that is checked by %j: %s', async (by, text) => {
    await draw([fileOf({ state: 'checking', by })])
    expect(screen.getByText(text)).toBeVisible()
  })

  test('says which of how many files is being imported', async () => {
    const files = [fileOf(), fileOf()]
    const { edge } = await draw(files)
    await press('Import all ready (2)')
    expect(screen.getByText(`Importing 1 of 2: ${files[0]!.filename}`)).toBeVisible()
    await finish(edge)
    expect(screen.getByText(`Importing 2 of 2: ${files[1]!.filename}`)).toBeVisible()
  })

  test.each([100, 0])(
    'goes to the last page when the current one is empty and %i files are left',
    async (left) => {
      let total = 101
      const { edge } = await draw([fileOf()], null, undefined, () => total)
      total = left
      await press('Next')
      expect(await screen.findByText(`Page 2 of 1, ${left} files`)).toBeVisible()
      expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled()
      await press('Previous')
      expect(edge.views.at(-1)).toMatchObject({ ended: 0, page: 1 })
    },
  )

  test('shows the other list from its first page', async () => {
    const { edge } = await draw([fileOf()], null, undefined, () => 201)
    await press('Next')
    await screen.findByText('Page 2 of 3, 201 files')
    await press('Ended')
    expect(edge.views.at(-1)).toMatchObject({ ended: 1, page: 1 })
  })

  test('names processor and month first, then the kind', async () => {
    await draw([fileOf()])
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Aurora · October 2026 · Comp Data')
  })

  test('imports all ready files in their order, each with what is shown for it', async () => {
    const files = [
      fileOf({ answers: { month: '2026-10', accepted: ['gap'] } }),
      fileOf({ state: 'refused' }),
      fileOf({ kind: 'merchant' }),
    ]
    const { edge } = await draw(files)
    await press('Import all ready (2)')
    await finish(edge)
    const [first, , third] = files
    expect(edge.tasks).toEqual([
      {
        name: 'import',
        id: first!.id,
        filename: first!.filename,
        answers: { month: '2026-10', accepted: ['gap'], kind: 'compdata' },
        again: false,
      },
      {
        name: 'import',
        id: third!.id,
        filename: third!.filename,
        answers: { kind: 'merchant' },
        again: false,
      },
    ])
  })

  test.each([
    ['refused', 1, 0, 0],
    ['refused', 2, 0, 1],
    ['refused', 2, 1, 0],
    ['ready', 2, 0, 0],
  ] as const)(
    'offers to dismiss all of the %s files, %i in the list %i: %i',
    async (state, count, list, offers) => {
      await draw(Array.from({ length: count }, () => fileOf({ state })))
      if (list === 1) await press('Ended')
      await screen.findByRole('list', { name: 'Files' })
      expect(screen.queryAllByRole('button', { name: /^Dismiss all refused/ })).toHaveLength(offers)
    },
  )

  test('dismisses each refused file once, and no other file', async () => {
    const files = [fileOf({ state: 'refused' }), fileOf(), fileOf({ state: 'refused' })]
    const { edge } = await draw(files)
    await press('Dismiss all refused (2)')
    expect(screen.getByRole('button', { name: 'Dismiss all refused (2)' })).toBeDisabled()
    await finish(edge)
    expect(edge.tasks).toEqual(
      [files[0]!, files[2]!].map(({ id, filename }) => ({ name: 'dismiss', id, filename })),
    )
  })

  const importing = /^2 files are not imported yet\. Stop that and leave\?$/
  test('asks before the screen is left with unfinished tasks, ends them, or stays if that is chosen', async () => {
    const { edge, leave, path } = await draw([fileOf(), fileOf()])
    await press('Import all ready (2)')
    expect(await leave()).toBe('/inbox')
    expect(screen.getByText(importing)).toBeVisible()
    await press('Stay')
    expect([path(), screen.queryByText(importing)]).toEqual(['/inbox', null])
    await leave()
    await press('Stop and leave')
    await finish(edge)
    expect([path(), edge.tasks.length]).toEqual(['/month', 1])
  })

  test('names the one file that is not done, or says that several tasks are not done', async () => {
    const [one, other] = [fileOf(), fileOf()]
    const { leave } = await draw([one, other])
    await press(`Import ${one.filename}`)
    await leave()
    expect(screen.getByText(`${one.filename} is not imported yet. Stop that and leave?`)).toBeVisible()
    await press('Stay')
    await press(`Dismiss ${other.filename}`)
    await leave()
    expect(screen.getByText('2 files are not done yet. Stop that and leave?')).toBeVisible()
  })

  test.each([
    ['nothing is being done', false, '/month'],
    ['the session has ended', true, '/login'],
  ])('is left without a question when %s', async (_, isWorking, path) => {
    const file = fileOf()
    const { leave } = await draw([file])
    if (isWorking) await press(`Import ${file.filename}`)
    expect(await leave(path)).toBe(path)
  })

  test('lets the browser ask before the tab is closed, while something is being done', async () => {
    const file = fileOf()
    const { edge } = await draw([file])
    const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(isAsked()).toBe(false)
    await press(`Import ${file.filename}`)
    expect(isAsked()).toBe(true)
    await finish(edge)
    expect(isAsked()).toBe(false)
  })

  test.each(['Import', 'Dismiss'])(
    'closes the buttons of the file at %s, and not those of others',
    async (task) => {
      const [one, other] = [fileOf(), fileOf()]
      await draw([one, other])
      await press(`${task} ${one.filename}`)
      const isClosed = (text: string) =>
        screen.getByRole<HTMLButtonElement>('button', { name: text }).disabled
      expect([`Import ${one.filename}`, `Import ${other.filename}`].map(isClosed)).toEqual([true, false])
      expect(isClosed('Import all ready (2)')).toBe(true)
    },
  )

  test('opens the questions of the first file that asks, and those of another file on request', async () => {
    const asks = { kind: { candidates: [], proposed: null } }
    const [first, second] = [fileOf({ state: 'asks', asks }), fileOf({ state: 'asks', asks })]
    await draw([fileOf(), first, second])
    expect(screen.getAllByLabelText(/^Kind/)).toHaveLength(1)
    await press(`Answer ${second.filename}`)
    expect(screen.getAllByLabelText(/^Kind/)).toHaveLength(2)
    await press(`Answer later ${first.filename}`)
    expect(screen.getAllByLabelText(/^Kind/)).toHaveLength(1)
  })

  test('sends an answer together with those that were given before', async () => {
    const file = fileOf({
      state: 'asks',
      answers: { kind: 'dailyvolume', accepted: ['a'] },
      asks: { date: true },
    })
    const { edge } = await draw([file])
    fireEvent.change(screen.getByLabelText('Date, typed'), { target: { value: '2026-10-31' } })
    await press('Continue')
    expect(edge.tasks).toMatchObject([
      { name: 'check', answers: { kind: 'dailyvolume', accepted: ['a'], date: '2026-10-31' } },
    ])
  })

  test('sends a confirmation together with the earlier ones', async () => {
    const asks = { questions: [{ key: 'b', text: 'October is there already' }] }
    const { edge } = await draw([fileOf({ state: 'asks', answers: { accepted: ['a'] }, asks })])
    fireEvent.click(screen.getByLabelText('October is there already'))
    await press('Continue, 1 of 1 confirmed')
    expect(edge.tasks).toMatchObject([{ name: 'check', answers: { accepted: ['a', 'b'] } }])
  })

  test('has the questions of the first file that asks open, and those of the others at Answer', async () => {
    const asks = { date: true }
    const files = [fileOf(), fileOf({ state: 'asks', asks }), fileOf({ state: 'asks', asks })]
    await draw(files)
    expect(screen.getAllByLabelText('Date, typed')).toHaveLength(1)
    expect(screen.getByRole('button', { name: `Answer later ${files[1]!.filename}` })).toBeVisible()
    await press(`Answer ${files[2]!.filename}`)
    expect(screen.getAllByLabelText('Date, typed')).toHaveLength(2)
  })

  test('asks for the columns of an unknown heading, and sends them with the earlier answers', async () => {
    const columns = ['Outlet', 'Takings'].map((name) => ({ name, samples: ['912345678'] }))
    const column = (name: string) => ({ columns: [{ sheet: '', name, sign: 1 as const }] })
    const mapping = {
      sheets: [{ name: '', heading: ['Outlet', 'Takings'] }],
      fields: { xmid: column('Outlet'), income: column('Takings') },
    }
    const proposal = {
      fingerprint: 'a',
      sheets: [{ name: '', row: 1, lines: 1, columns, idColumn: 'Outlet', starts: [] }],
      mapping,
      reasons: {},
      difference: null,
    }
    const { edge } = await draw([
      fileOf({ state: 'asks', preview: null, answers: { kind: 'compdata' }, asks: { mapping: proposal } }),
    ])
    await press('Use these columns')
    expect(edge.tasks).toMatchObject([{ name: 'check', answers: { kind: 'compdata', mapping } }])
  })

  test('proposes a kind, and offers the likely ones before the others', async () => {
    const asks = { kind: { candidates: ['compdata', 'dailyvolume'], proposed: 'dailyvolume' } } as const
    const file = fileOf({
      state: 'asks',
      asks: { kind: { ...asks.kind, candidates: [...asks.kind.candidates] } },
    })
    const { edge } = await draw([file])
    const options = within(screen.getByLabelText(/^Kind/)).getAllByRole('option')
    expect(options.slice(0, 4).map(({ textContent }) => textContent)).toEqual([
      'Choose a kind',
      'Comp Data',
      'Daily Volume',
      'Merchants',
    ])
    await press('Continue')
    expect(edge.tasks).toMatchObject([{ name: 'check', answers: { kind: 'dailyvolume' } }])
  })

  test('starts a new check without the earlier answers', async () => {
    const file = fileOf({ state: 'refused', answers: { month: '2026-09' } })
    const { edge } = await draw([file])
    await press(`Check again ${file.filename}`)
    expect(edge.tasks).toEqual([{ name: 'check', id: file.id, filename: file.filename, answers: {} }])
  })

  test.each([
    ['a watched folder', { fault: null, left: [], more: 0 }, 'ready', 2],
    ['a file that somebody checks', null, 'checking', 2],
    ['neither', null, 'ready', 1],
  ] as const)('is read again after 5 s with %s', async (_, folder, state, loads) => {
    const { edge, pass } = await draw([fileOf({ state })], folder && { ...folder, left: [] })
    await pass(4_999)
    expect(edge.loads).toBe(1)
    await pass(1)
    expect(edge.loads).toBe(loads)
  })

  test('is not read again automatically after that failed', async () => {
    let reads = 0
    const { edge, pass } = await draw([fileOf({ state: 'checking' })], null, undefined, () => {
      reads += 1
      if (reads > 1) throw new Error('The portal is away')
      return 1
    })
    await pass(5_000)
    expect(edge.loads).toBe(2)
    await pass(5_000)
    expect(edge.loads).toBe(2)
  })

  test.each([
    [0, []],
    [1, ['and 1 more']],
    [1200, ['and 1,200 more']],
  ])('names the files that stay in the watched folder, and counts the other %i', async (more, counted) => {
    await draw([], {
      fault: null,
      left: [{ filename: 'a.txt', reason: 'The name cannot be read.' }],
      more,
    })
    expect(screen.getByText('a.txt')).toBeVisible()
    const texts = screen.queryAllByText(/and [\d,]+ more/).map(({ textContent }) => textContent)
    expect(texts.map((text) => /and [\d,]+ more/.exec(text)![0])).toEqual(counted)
  })

  test('says why the watched folder cannot be used', async () => {
    await draw([], { fault: 'The watched folder does not exist.', left: [], more: 0 })
    const fault = /The watched folder does not exist\. Files that are put there wait/
    expect(screen.getByText(fault)).toBeVisible()
  })

  test('of one month asks for that month, and for ended files when their list is opened', async () => {
    const { edge } = await draw([], null, '2026-10')
    await press('Ended')
    expect(edge.views).toEqual([
      { ended: 0, page: 1, size: 100, month: '2026-10' },
      { ended: 1, page: 1, size: 100, month: '2026-10' },
    ])
  })
})
