import { act, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter, useLocation, useNavigate, type NavigateFunction } from 'react-router-dom'
import { fromPromise, type AnyActorRef } from 'xstate'
import {
  reportMachine,
  type DownloadRequest,
  type LockRequest,
  type ReportRequest,
} from '../../../machines/report.machine.ts'
import type {
  Lock,
  ReportColumn,
  ReportInput,
  ReportOption,
  ReportResult,
  ReportRow,
  ReportType,
} from '../../../schemas/api/reports.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import '../../../src/features/reports/ReportInputs.tsx'
import { ReportPage } from '../../../src/features/reports/ReportPage.tsx'
import { viewerWith } from '../forms/form.tsx'
import { newUser } from '../newUser.ts'

export const input = (
  datatype: ReportInput['datatype'],
  displayname: string,
  more: Partial<ReportInput> = {},
): ReportInput => ({
  inputname: displayname.toLowerCase().replace(/ /g, ''),
  displayname,
  datatype,
  isrequired: true,
  constraints: [],
  ...more,
})
export const monthInput = (...states: (string | undefined)[]) =>
  input('Query3', 'Month', {
    constraints: states.map((state, at): ReportOption => ({
      id: `2026-${12 - at}`,
      displayname: `Month ${12 - at}`,
      ...(state && { state }),
    })),
  })
export const typeOf = (name: string, ...inputs: ReportInput[]): ReportType => ({
  id: name.toLowerCase().replace(/ /g, '-'),
  name,
  group: 'Portfolio',
  description: `What ${name} answers.`,
  inputs,
  formats: ['xlsx', 'csv'],
})
export const column = (name: string, datatype: ReportColumn['datatype']): ReportColumn => ({
  name,
  displayname: name.toUpperCase(),
  datatype,
})
export const resultOf = (
  columns: ReportColumn[],
  data: ReportRow[],
  more: Partial<ReportResult> = {},
): ReportResult => ({
  columns,
  data,
  totals: null,
  notes: [],
  lock: null,
  ...more,
})
const lock: Lock = {
  month: '2026-12',
  version: 1,
  hash: '0123456789abcdef',
  username: 'ann',
  lockedat: 1_790_000_000,
}

/** The screen with calls that answer at once with what is given. */
export function draw({
  types,
  result = resultOf([], []),
  viewer = viewerWith(),
  refusals = [],
  places = [],
  at = '/reporting',
  isAway = false,
}: {
  types: readonly ReportType[]
  result?: ReportResult
  viewer?: Viewer
  /** What the first calls that lock are refused with. */
  refusals?: unknown[]
  /** How many are told to begin before a report, one after the other; it is never answered then. */
  places?: (number | null)[]
  /** The address at which the screen is opened. */
  at?: string
  /** Whether the reports cannot be loaded at first. */
  isAway?: boolean
}) {
  const calls = {
    types: 0,
    generate: [] as ReportRequest[],
    download: [] as unknown[],
    lock: [] as LockRequest[],
    unlock: [] as unknown[],
  }
  const waits = async (machine: AnyActorRef | undefined) => {
    for (const before of places) machine?.send({ type: 'queued', before })
    if (places.length > 0) await new Promise(() => {})
  }
  const machine = reportMachine.provide({
    actors: {
      types: fromPromise(async () => {
        calls.types++
        if (isAway && calls.types === 1) throw new Error('away')
        return types
      }),
      generate: fromPromise<ReportResult, ReportRequest>(async ({ input: asked, self }) => {
        calls.generate.push(asked)
        await waits(self._parent)
        // Each answer is another one.
        return { ...result }
      }),
      download: fromPromise<unknown, DownloadRequest>(async ({ input: asked, self }) => {
        calls.download.push(asked)
        await waits(self._parent)
      }),
      lock: fromPromise<Lock, LockRequest>(async ({ input: asked }) => {
        calls.lock.push(asked)
        if (calls.lock.length <= refusals.length) throw refusals[calls.lock.length - 1]
        return lock
      }),
      unlock: fromPromise<Lock, ReportRequest & { reason: string }>(async ({ input: asked }) => {
        calls.unlock.push(asked)
        return { ...lock, reopenedat: 1_790_000_001 }
      }),
    },
  })
  const user = newUser()
  const history: { address: string; navigate: NavigateFunction | null } = { address: at, navigate: null }
  const Watch = () => {
    const { pathname, search } = useLocation()
    history.address = pathname + search
    history.navigate = useNavigate()
    return null
  }
  const { container } = render(
    <MemoryRouter initialEntries={[at]}>
      <ReportPage machine={machine} viewer={viewer} />
      <Watch />
    </MemoryRouter>,
  )
  return {
    /** What stands in the address bar. */
    address: () => history.address,
    navigate: (to: number | string) => act(async () => void (await history.navigate!(to as string))),
    calls,
    container,
    user,
    choose: async (name: string) => {
      await user.selectOptions(await screen.findByLabelText('Report'), name)
      await screen.findByRole('button', { name: 'Generate Report' })
    },
    generate: async () => {
      const button = await screen.findByRole('button', { name: 'Generate Report' })
      await waitFor(() => {
        if ((button as HTMLButtonElement).disabled) throw new Error('Generate Report is disabled')
      })
      await user.click(button)
      return screen.findByRole('table')
    },
  }
}
/** Buttons of this name; disabled ones say so. */
export const buttons = (name: string) =>
  screen
    .queryAllByRole<HTMLButtonElement>('button', { name })
    .map(({ disabled }) => (disabled ? 'disabled' : 'enabled'))
