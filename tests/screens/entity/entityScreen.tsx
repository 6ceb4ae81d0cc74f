import { render, screen } from '@testing-library/react'
import axe from 'axe-core'
import { createMemoryRouter, Link, Outlet, RouterProvider } from 'react-router-dom'
import { expect } from 'vitest'
import { fromPromise, SimulatedClock } from 'xstate'
import { decisionMachine } from '../../../machines/decision.machine.ts'
import { downloadMachine, type Downloaded } from '../../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../../machines/list.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import { modalMachine, type Draft, type StoredRecord } from '../../../machines/modal.machine.ts'
import type { View, ViewCount } from '../../../schemas/api/lists/views.ts'
import type { ListQuery } from '../../../schemas/api/paging.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { noPermissions, type Permission, type Viewer } from '../../../schemas/permissions.ts'
import { EntityPage } from '../../../src/features/entity/EntityPage.tsx'
import { ActorEnvironmentContext } from '../../../src/parts/hooks/actorEnvironment.ts'

export const viewerWith = (...given: Permission[]): Viewer => ({
  username: 'ann',
  admin: false,
  masteragentid: null,
  seesall: true,
  permissions: { ...noPermissions, ...Object.fromEntries(given.map((name) => [name, true])) },
})

const made = (id: number): StoredRecord => ({
  id,
  version: 1,
  xmid: `40000000${String(id).padStart(4, '0')}`,
  dba: `Shop ${id}`,
  status: '',
  masteragentid: 7,
  accountstatus: 2,
  date_added: 1_767_225_600,
  notes: id === 3 ? 'A long note about this shop that does not fit into its column' : '',
  labels: { masteragentid: 'MA0012 - North' },
})

export const manager = viewerWith('manage_merchants', 'delete_merchants')

type Saving = { row: StoredRecord | null; draft: Draft; overwrite: boolean }
/** What an answer to come may be: given at once, held until the test releases it, or refused. */
export type Edge = {
  rows: StoredRecord[]
  loads: ListQuery[]
  saves: Saving[]
  removes: number[]
  refuse: { load?: unknown; read?: unknown; save?: unknown; remove?: unknown }
  hold: { load?: Promise<void>; read?: Promise<void>; save?: Promise<void>; remove?: Promise<void> }
  /** The files that were asked for. */
  files: unknown[]
  allRows: () => typeof loadMachine
  views: View[]
  counts: () => ViewCount[] | Promise<ViewCount[]>
  /** How often the counts were asked for. */
  counted: number
}

/**
 * A merchants screen over records in memory; `at` is its address, behind which there is another screen. Time
 * passes for its list only by `clock.increment`.
 */
export const openMerchants = (
  viewer: Viewer,
  {
    entity = merchant as Entity,
    at = '/manage/merchants',
    shops = 95,
    history = [] as string[],
    edge: given = {} as Partial<Edge>,
  } = {},
) => {
  const edge: Edge = {
    rows: Array.from({ length: shops }, (_, index) => made(index + 1)),
    loads: [],
    saves: [],
    removes: [],
    refuse: {},
    hold: {},
    files: [],
    allRows: () => loadMachine,
    views: [],
    counts: () => [],
    counted: 0,
    ...given,
  }
  const loading = (read: () => unknown) =>
    loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => read()) } })
  const views = {
    list: loading(() => edge.views),
    counts: loading(() => {
      edge.counted += 1
      return edge.counts()
    }),
    save: () => decisionMachine,
    remove: decisionMachine,
  }
  const list = listMachine.provide({
    actors: {
      load: fromPromise<ListResult, ListQuery>(async ({ input, signal }) => {
        edge.loads.push(input)
        await edge.hold.load
        signal.throwIfAborted()
        if (edge.refuse.load) throw edge.refuse.load
        const { page, size, search } = input
        const found = edge.rows.filter((row) => String(row.dba).toLowerCase().includes(search.toLowerCase()))
        return { data: found.slice((page - 1) * size, page * size), total_length: found.length }
      }),
    },
  })
  const modal = modalMachine.provide({
    actors: {
      read: fromPromise<StoredRecord, { id: number | null }>(async ({ input }) => {
        await edge.hold.read
        const row = edge.rows.find(({ id }) => id === input.id)
        if (edge.refuse.read || !row) throw edge.refuse.read ?? { status: 404 }
        return row
      }),
      save: fromPromise<unknown, Saving>(async ({ input }) => {
        edge.saves.push(input)
        await edge.hold.save
        if (edge.refuse.save) throw edge.refuse.save
        const id = input.row?.id ?? edge.rows.length + 1
        edge.rows = [
          ...edge.rows.filter((row) => row.id !== id),
          { ...made(id), ...input.row, ...input.draft, id, version: 2 },
        ]
      }),
      remove: fromPromise<unknown, { row: StoredRecord | null }>(async ({ input }) => {
        edge.removes.push(input.row?.id ?? 0)
        await edge.hold.remove
        if (edge.refuse.remove) throw edge.refuse.remove
        edge.rows = edge.rows.filter(({ id }) => id !== input.row?.id)
      }),
    },
  })
  const file = downloadMachine.provide({
    actors: {
      download: fromPromise<Downloaded, { id: string }>(async ({ input }) => {
        edge.files.push(JSON.parse(input.id))
        return { content: new Blob(), disposition: '' }
      }),
    },
  })
  const lookup = async () => [{ id: 7, displayid: 'MA0012', name: 'North' }]
  const router = createMemoryRouter(
    [
      {
        element: (
          <>
            <Link to="/reporting">Reporting</Link>
            <Outlet />
          </>
        ),
        children: [
          {
            path: '/manage/merchants',
            element: (
              <EntityPage
                entity={entity}
                list={list}
                modal={modal}
                decision={decisionMachine}
                searchRecords={lookup}
                tools={{ file, allRows: edge.allRows, views }}
                viewer={viewer}
              />
            ),
          },
          { path: '/reporting', element: <h1>Reports</h1> },
          { path: '/audit', element: <h1>Audit</h1> },
          { path: '/login', element: <h1>Sign in</h1> },
        ],
      },
    ],
    { initialEntries: [...history, at] },
  )
  const clock = new SimulatedClock()
  const { container } = render(
    <ActorEnvironmentContext value={{ clock }}>
      <RouterProvider router={router} />
    </ActorEnvironmentContext>,
  )
  return { edge, router, container, clock, search: () => router.state.location.search }
}

export const rowNames = () =>
  screen.getAllByRole('rowheader').map((head) => head.nextElementSibling?.textContent)
export const expectClean = async (container: Element) => {
  const { violations } = await axe.run(container, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}

/** Merchants with the dialog of one open; the list is behind it, the reports are behind that. */
export const opened = (open = '3') =>
  openMerchants(manager, {
    at: `/manage/merchants?open=${open}`,
    history: ['/reporting', '/manage/merchants'],
  })
