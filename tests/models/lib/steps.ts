import { errorTitle } from './account.ts'
import { ok, type Driver, type Step } from './drivers/driver.ts'
import { same } from './merchants.ts'

/** The action, whose call of this route is then held: it waits until the route is released. */
export const held =
  (route: string | ((it: Driver) => Promise<string> | string), action: Step): Step =>
  async (it) => {
    const name = typeof route === 'string' ? route : await route(it)
    const before = it.network.calls(name).length
    it.network.hold(name)
    await action(it)
    await it.eventually(() => same(it.network.calls(name).length, before + 1, name))
  }

/** The action, whose call of this route is answered 500. */
export const failing =
  (route: string, action: Step): Step =>
  async (it) => {
    it.network.fault(route, 500)
    await action(it)
  }

/** Sees that the error dialog is open and says this. */
export const saysError =
  (sentence: string): Step =>
  async (it) => {
    same(await it.count('dialog', errorTitle), 1, errorTitle)
    ok(await it.shows(sentence), `'${sentence}' is not said`)
  }
