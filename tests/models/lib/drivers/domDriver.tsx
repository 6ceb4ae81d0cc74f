import { screen, within } from '@testing-library/dom'
import userEvent from '@testing-library/user-event'
import type { InspectionEvent } from 'xstate'
import { provideMachines, type FetchedMachines, type ScreenMachines } from '../../../../src/api/provide.ts'
import { createPortal, type OpenPortal } from '../../../../src/app/createPortal.ts'
import { mount } from '../../../../src/app/mount.tsx'
import { untilDrawn } from '../../../setup/untilDrawn.ts'
import type { TestPortal } from '../../../testPortal.ts'
import { createClock } from './clock.ts'
import { startTabs, type Tabs } from './domTabs.ts'
import { eventually, ok, statesOf, type Driver, type Place, type Role } from './driver.ts'
import { injectAdapter, keepCookies, type Jar, type Tamper } from './injectAdapter.ts'
import { createNetwork, type Network } from './network.ts'
import { catchSaved } from './savedFiles.ts'

export type Options = {
  inspect?: (event: InspectionEvent) => void
  /**
   * Faults, to see that the tests see them. `page` is called for each page that is opened, and answers how to
   * stop;
   * `wired` may exchange the machines its screens are given, `fetched` those that are fetched with them,
   * `address` what the page writes into its address.
   */
  tamper?: Tamper & {
    timer?: (ms: number) => number
    page?: () => () => void
    wired?: (wired: ScreenMachines) => void
    fetched?: (fetched: FetchedMachines) => void
    address?: (written: WrittenAddress) => WrittenAddress
  }
}
/** The query that a page writes, and whether it takes the place of the one before in the history. */
type WrittenAddress = { search: string; replace: boolean }
/** What the tabs of one browser share. */
type Browser = Options & { portal: TestPortal; network: Network; jar: Jar; tabs: Tabs }

/** Opens a browser without a page; `go` loads one. */
export function openDom(portal: TestPortal, options: Options = {}): Driver {
  // The portal draws itself as it does in a browser, not when a test allows it.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  return tabOf({ ...options, portal, network: createNetwork(), jar: new Map(), tabs: startTabs() })
}

function tamperAddress({ router }: OpenPortal, change: (written: WrittenAddress) => WrittenAddress) {
  const write = router.navigate.bind(router) as (to: unknown, options?: object) => Promise<void>
  const tampered = (to: unknown, options: { replace?: boolean } = {}) => {
    if (typeof to !== 'object' || to === null || !('search' in to)) return write(to, options)
    const { search, replace } = change({ search: String(to.search), replace: options.replace ?? false })
    return write({ ...to, search }, { ...options, replace })
  }
  router.navigate = tampered as typeof router.navigate
}

function tabOf(browser: Browser): Driver {
  const { portal, network, jar, tabs, tamper } = browser
  const user = userEvent.setup({ delay: null, applyAccept: false, pointerEventsCheck: 0 })
  const root = document.body.appendChild(document.createElement('div'))
  const others: Driver[] = []
  const saving = catchSaved()
  let clock = createClock(tamper?.timer)
  let page: OpenPortal | null = null
  let unload = () => {}
  const tab = tabs.open(root, (path) => void load(path))
  const begun = (timer: number) => eventually(() => clock.begun(timer))

  async function load(path: string) {
    unload()
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const reply = await portal.app.inject({ method: 'GET', url: path, headers: { cookie } })
    if (!jar.has('XSRF-TOKEN')) keepCookies(jar, reply.headers)
    clock = createClock(tamper?.timer)
    const adapter = injectAdapter(portal, network, jar, tamper)
    page = createPortal({ clock: clock as never, inspect: browser.inspect, adapter, history: [path] })
    tamper?.wired?.(provideMachines(page))
    if (tamper?.fetched) tamper.fetched(await provideMachines(page).fetched.load())
    if (tamper?.address) tamperAddress(page, tamper.address)
    const unmount = mount(root, page)
    const mend = tamper?.page?.() ?? (() => {})
    unload = () => {
      unmount()
      mend()
      unload = () => {}
    }
  }

  const opened = () => page ?? ok(page, 'no page is open') ?? page!
  const find = (role: Role, name?: string | RegExp, dialog?: Place['dialog']): HTMLElement[] =>
    scope(dialog).queryAllByRole(role, { name }).filter(tab.owns)
  const dialogs = (name: string | RegExp) => [...find('dialog', name), ...find('alertdialog', name)]
  const scope = (dialog: Place['dialog']): Pick<typeof screen, 'queryAllByRole' | 'queryAllByLabelText'> => {
    if (!dialog) return screen
    const [found] = dialogs(dialog)
    ok(found, `there is no dialog ${dialog}`)
    return within(found)
  }
  /** Waits for exactly one. */
  const one = (role: Role, name: string | RegExp, { dialog, last }: Place = {}): Promise<HTMLElement> => {
    return eventually(() => {
      const found = find(role, name, dialog).slice(last ? -1 : 0)
      ok(found.length === 1, `there are ${found.length} of ${role} ${name}`)
      return found[0]!
    })
  }
  const labelled = (label: string, dialog?: Place['dialog']) => {
    return eventually(() => {
      const found = scope(dialog)
        .queryAllByLabelText<HTMLInputElement>(label, { exact: true, selector: ':not(th)' })
        .filter(tab.owns)
      ok(found.length === 1, `there are ${found.length} fields ${label}`)
      return found[0]!
    })
  }

  const driver: Driver = {
    portal,
    network,
    go: load,
    reload: () => load(driver.url()),
    back: async () => {
      await opened().router.navigate(-1)
    },
    forward: async () => {
      await opened().router.navigate(1)
    },
    url: () => {
      const { pathname, search } = opened().router.state.location
      return pathname + search
    },
    async fill(label, text, place) {
      const field = await labelled(label, place?.dialog)
      await user.clear(field)
      if (text && field.type === 'date') await user.type(field, text)
      else if (text) await user.paste(text)
      await settle()
    },
    async press(name, place = {}) {
      const it = await one(place.role ?? 'button', name, place)
      await eventually(() => ok(!(it as HTMLButtonElement).disabled, `${name} is disabled`))
      await user.click(it)
      await settle()
    },
    async choose(button, ...files) {
      const dialogs: HTMLInputElement[] = []
      const hear = ({ target }: Event) =>
        void (target instanceof HTMLInputElement && target.type === 'file' && dialogs.push(target))
      root.addEventListener('click', hear)
      await user.click(await one('button', button))
      root.removeEventListener('click', hear)
      ok(dialogs[0], `${button} opens no file dialog`)
      await user.upload(
        dialogs[0],
        files.map(({ name, content }) => new File([content as BlobPart], name)),
      )
      await settle()
    },
    async pick(label, option) {
      await user.selectOptions(await labelled(label), option)
      await settle()
    },
    count: async (role, name, place) => {
      if (place?.dialog && dialogs(place.dialog).length === 0) return 0
      return find(role, name, place?.dialog).length
    },
    text: async (role, name) =>
      find(role, name)
        .map((it) => it.textContent)
        .join(' '),
    texts: async (role, name, region, place = 'region') =>
      (region
        ? find(place, region).flatMap((it) => within(it).queryAllByRole(role, { name }))
        : find(role, name)
      ).map((it) => it.textContent),
    state: async (role, name, place) => statesOf([await one(role, name, place)])[0]!,
    shows: async (words) => screen.queryAllByText(words, { exact: false }).some(tab.owns),
    async key(name) {
      const [modifier, key] = name.length > 1 && name.includes('+') ? name.split('+') : []
      const held = modifier === undefined ? null : `{${modifier}>}${key}{/${modifier}}`
      await user.keyboard(held ?? (name.length === 1 ? name : `{${name}}`))
      await settle()
    },
    focus: async (role, name) => (await one(role, name)).focus(),
    saved: saving.files,
    value: async (label) => (await labelled(label)).value,
    storage: async () =>
      Object.fromEntries(Object.keys(localStorage).map((key) => [key, localStorage.getItem(key) ?? ''])),
    keep: async (key, value) => localStorage.setItem(key, value),
    freeze: async () => {},
    thaw: async () => {},
    pass: async (ms) => {
      clock.pass(ms)
      await settle()
    },
    elapse: async (timer, short) => {
      const began = await begun(timer)
      clock.pass(began + timer - clock.now() - short)
      await settle()
    },
    begun,
    eventually,
    settle,
    async tab(path) {
      const other = tabOf(browser)
      others.push(other)
      await other.go(path)
      return other
    },
    async close() {
      for (const other of others.splice(0)) await other.close()
      unload()
      saving.stop()
      root.remove()
      if (tab.close() === 0) network.reset()
    },
  }
  return driver
}

/**
 * Waits until React has drawn all that was changed. A task of idle priority runs when nothing else is left;
 * what an effect begins by that is waited for in the next round.
 */
async function settle() {
  for (let round = 0; round < 3; round++) {
    await new Promise((next) => setTimeout(next))
    await untilDrawn()
  }
}
