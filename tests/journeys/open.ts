import { configure, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { AxiosAdapter } from 'axios'
import { onTestFinished, vi } from 'vitest'
import { SimulatedClock, type InspectionEvent } from 'xstate'
import type { User } from '../../schemas/session.ts'
import { mount } from '../../src/mount.tsx'
import { createPortal } from '../../src/portal.ts'
import { storageKey } from '../../src/session/stored.ts'
import type { Sent } from './adapter.ts'

// A busy machine takes its time over a password; what never comes still fails.
configure({ asyncUtilTimeout: 8_000 })
vi.setConfig({ testTimeout: 40_000 })

// What a page fetches when it is asked for is here before the first test asks, so that no test waits for a compiler.
await Promise.all([
  import('../../src/shell/Shell.tsx'),
  import('../../src/Screens.tsx'),
  import('../../src/pages/HomePage.tsx'),
  import('../../src/pages/EntityPage.tsx'),
  import('../../src/pages/ImportPage.tsx'),
  import('../../src/pages/DrivePage.tsx'),
  import('../../src/pages/TicketsPage.tsx'),
  import('../../src/pages/TicketDialog.tsx'),
  import('../../src/pages/TermsStep.tsx'),
  import('../../src/forms/EntityForm.tsx'),
  import('../../src/forms/PasswordForm.tsx'),
])

// React is driven by the portal itself here, not by the test.
declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean | undefined
}

type Given = { adapter: AxiosAdapter; at?: string; inspect?: (event: InspectionEvent) => void }

/** Opens one tab. Its clock is its own: `clock.increment(300_000)` lets five minutes pass. */
export const openTab = ({ adapter, at = '/', inspect }: Given) => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false
  const clock = new SimulatedClock()
  const root = document.body.appendChild(document.createElement('div'))
  const portal = createPortal({ adapter, clock, inspect, history: [at] })
  const close = mount(root, portal)
  onTestFinished(() => {
    close()
    root.remove()
    localStorage.clear()
    document.title = ''
  })
  const { location } = portal.router.state
  return {
    portal,
    clock,
    root,
    user: userEvent.setup(),
    /** Where the tab is now, as its address bar would say. */
    at: () => {
      const now = portal.router.state.location ?? location
      return now.pathname + now.search + now.hash
    },
  }
}
export type Tab = ReturnType<typeof openTab>

/** What was sent, in order; React's strict mode loads twice what a screen loads once. */
export const said = (calls: readonly Sent[], ...besides: string[]) =>
  calls
    .map(({ method, path, token }) => `${method} ${path} ${token ?? 'without a token'}`)
    .filter((line) => !besides.some((path) => line.includes(path)))
    .filter((line, at, all) => line !== all[at - 1])

/** The browser already knows this person. */
export const remember = (user: Omit<User, 'username'> & { username?: string }, renewed = 0) =>
  localStorage.setItem(storageKey, JSON.stringify({ user: { username: 'ann', ...user }, renewed }))

export const signIn = async ({ user }: Tab, username: string, password: string) => {
  await user.type(await screen.findByLabelText('Username'), username)
  await user.type(screen.getByLabelText('Password'), password)
  await user.click(screen.getByRole('button', { name: 'Login' }))
}
