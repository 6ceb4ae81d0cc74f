import { screen, waitFor, within } from '@testing-library/dom'
import userEvent from '@testing-library/user-event'
import type { InspectionEvent } from 'xstate'
import { mount } from '../../src/mount.tsx'
import { createPortal, type OpenPortal } from '../../src/portal.ts'
import type { World } from '../world.ts'
import { createClock } from './clock.ts'
import { ok, type Driver, type Place, type Role } from './driver.ts'
import { injectAdapter, keepCookies, type Jar, type Tamper } from './inject.ts'
import { createNetwork, type Network } from './network.ts'
import { startTabs, type Tabs } from './tabs.ts'

type Options = {
  inspect?: (event: InspectionEvent) => void
  /** Faults, to see that the tests see them. `page` is called for each page that is opened, and answers how to stop. */
  tamper?: Tamper & { timer?: (ms: number) => number; page?: () => () => void }
}
/** What the tabs of one browser share. */
type Browser = Options & { world: World; network: Network; jar: Jar; tabs: Tabs }

const patience = { timeout: 5_000, interval: 15 }

/** Opens a browser without a page; `go` loads one. */
export function openDom(world: World, options: Options = {}): Driver {
  // The portal draws itself as it does in a browser, not when a test allows it.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  return tabOf({ ...options, world, network: createNetwork(), jar: new Map(), tabs: startTabs() })
}

function tabOf(browser: Browser): Driver {
  const { world, network, jar, tabs, tamper } = browser
  const user = userEvent.setup({ delay: null, applyAccept: false })
  const root = document.body.appendChild(document.createElement('div'))
  const others: Driver[] = []
  let clock = createClock(tamper?.timer)
  let portal: OpenPortal | null = null
  let unload = () => {}
  const tab = tabs.open((path) => void load(path))

  async function load(path: string) {
    unload()
    const reply = await world.app.inject({ method: 'GET', url: path, headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') } })
    if (!jar.has('XSRF-TOKEN')) keepCookies(jar, reply.headers)
    clock = createClock(tamper?.timer)
    tab.run(() => {
      portal = createPortal({ clock: clock as never, inspect: browser.inspect, adapter: injectAdapter(world, network, jar, tamper), history: [path] })
      const unmount = mount(root, portal)
      const mend = tamper?.page?.() ?? (() => {})
      unload = () => {
        unmount()
        mend()
        unload = () => {}
      }
    })
  }

  const opened = () => portal ?? ok(portal, 'no page is open') ?? portal!
  const scope = (dialog: Place['dialog']) => {
    if (!dialog) return screen
    const [found] = [...screen.queryAllByRole('dialog', { name: dialog }), ...screen.queryAllByRole('alertdialog', { name: dialog })]
    ok(found, `there is no dialog ${dialog}`)
    return within(found)
  }
  /** Waits for exactly one. With a second tab drawn, this tab's own comes first. */
  const one = async (role: Role, name: string | RegExp, dialog?: Place['dialog']): Promise<HTMLElement> =>
    waitFor(() => {
      const all = scope(dialog).queryAllByRole(role, { name })
      const own = all.filter((it) => root.contains(it))
      const found = all.length > 1 && own.length > 0 ? own : all
      ok(found.length === 1, `there are ${found.length} of ${role} ${name}`)
      return found[0]!
    }, patience)
  const labelled = (label: string, dialog?: Place['dialog']) =>
    waitFor(() => {
      const all = scope(dialog).queryAllByLabelText<HTMLInputElement>(label, { exact: true })
      const own = all.filter((it) => root.contains(it))
      const found = own.length > 0 ? own : all
      ok(found.length === 1, `there are ${found.length} fields ${label}`)
      return found[0]!
    }, patience)

  const driver: Driver = {
    world,
    network,
    go: load,
    reload: () => load(driver.url()),
    back: async () => {
      await opened().router.navigate(-1)
    },
    url: () => {
      const { pathname, search } = opened().router.state.location
      return pathname + search
    },
    async fill(label, text, place) {
      const field = await labelled(label, place?.dialog)
      await user.clear(field)
      if (text) await user.type(field, text.replace(/[{[]/g, '$&$&'))
    },
    async press(name, { role = 'button', dialog } = {}) {
      const it = await one(role, name, dialog)
      await waitFor(() => ok(!(it as HTMLButtonElement).disabled, `${name} is disabled`), patience)
      await user.click(it)
    },
    async choose(label, { name, content }) {
      await user.upload(await labelled(label), new File([content as BlobPart], name))
    },
    async pick(label, option) {
      await user.selectOptions(await labelled(label), option)
    },
    count: async (role, name, place) => {
      if (place?.dialog && screen.queryAllByRole('dialog', { name: place.dialog }).length === 0) return 0
      return scope(place?.dialog).queryAllByRole(role, { name }).length
    },
    text: async (role, name) => screen.queryAllByRole(role, { name }).map((it) => it.textContent).join(' '),
    value: async (label) => (await labelled(label)).value,
    storage: async () => Object.fromEntries(Object.keys(localStorage).map((key) => [key, localStorage.getItem(key) ?? ''])),
    freeze: async () => {},
    thaw: async () => {},
    pass: async (ms) => tab.run(() => clock.pass(ms)),
    elapse: async (timer, short) => {
      await waitFor(() => clock.left(timer), patience)
      tab.run(() => clock.pass(clock.left(timer) - short))
    },
    eventually: (check) => waitFor(async () => check(), patience),
    async tab(path) {
      const other = tabOf(browser)
      others.push(other)
      await other.go(path)
      return other
    },
    async close() {
      for (const other of others.splice(0)) await other.close()
      network.reset()
      unload()
      root.remove()
      tab.close()
    },
  }
  return driver
}
