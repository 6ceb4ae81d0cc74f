import { configure, screen } from '@testing-library/dom'
import type { AxiosAdapter } from 'axios'
import { onTestFinished } from 'vitest'
import { SimulatedClock, type InspectionEvent } from 'xstate'
import type { User } from '../../schemas/api/session.ts'
import { storageKey } from '../../src/api/storedSession.ts'
import { createPortal } from '../../src/app/createPortal.ts'
import { mount } from '../../src/app/mount.tsx'
import { newUser } from '../screens/newUser.ts'
import type { Sent } from './adapter.ts'

// A busy machine takes its time over a password; what never comes still fails.
configure({ asyncUtilTimeout: 8_000 })

// What a page fetches when it is asked for is here before the first test asks, so that no test waits for a
// compiler.
await Promise.all([
  import('../../src/app/shell/Shell.tsx'),
  import('../../src/app/Screens.tsx'),
  import('../../src/api/provide/fetched/fetched.ts'),
  import('../../src/parts/hooks/focusAndPlaces.ts'),
  import('../../src/features/home/HomePage.tsx'),
  import('../../src/features/home/Chart.tsx'),
  import('../../src/features/month/MonthPage.tsx'),
  import('../../src/features/entity/EntityPage.tsx'),
  import('../../src/features/entity/record/RecordRates.tsx'),
  import('../../src/features/imports/ImportPage.tsx'),
  import('../../src/features/drive/DrivePage.tsx'),
  import('../../src/features/tickets/TicketsPage.tsx'),
  import('../../src/features/tickets/TicketDialog.tsx'),
  import('../../src/features/login/TermsStep.tsx'),
  import('../../src/forms/EntityForm.tsx'),
  import('../../src/app/shell/PasswordForm.tsx'),
  import('../../src/app/shell/AccountSteps.tsx'),
  import('../../src/features/sessions/SessionsDialog.tsx'),
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
    user: newUser(),
    /** Where the tab is now, as its address bar would say. */
    at: () => {
      const now = portal.router.state.location ?? location
      return now.pathname + now.search + now.hash
    },
  }
}
export type Tab = ReturnType<typeof openTab>

/** What was sent, in order; React's strict mode loads twice what a screen loads once. */
export const sentLines = (calls: readonly Sent[], ...besides: string[]) =>
  calls
    .map(({ method, path, token }) => `${method} ${path} ${token ?? 'without a token'}`)
    .filter((line) => !besides.some((path) => line.includes(path)))
    .filter((line, at, all) => line !== all[at - 1])

/** The browser already knows this person. */
export const remember = (user: Omit<User, 'username'> & { username?: string }, renewed = 0) =>
  localStorage.setItem(storageKey, JSON.stringify({ user: { username: 'ann', ...user }, renewed }))

/** Puts a text into a field at once: typed, each letter would draw the screen anew. */
export const replaceText = async (user: Tab['user'], field: HTMLElement, text: string) => {
  await user.clear(field)
  await user.paste(text)
}

export const signIn = async ({ user }: Pick<Tab, 'user'>, username: string, password: string) => {
  for (const [label, text] of [
    ['Username', username],
    ['Password', password],
  ] as const)
    await replaceText(user, await screen.findByLabelText(label), text)
  await user.click(screen.getByRole('button', { name: 'Login' }))
}
