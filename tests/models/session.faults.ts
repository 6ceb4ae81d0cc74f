import { createMachine, fromPromise, type AnyStateMachine } from 'xstate'
import { storageKey } from '../../src/session/stored.ts'
import { copy } from '../mbt/mutate.ts'
import { failure } from './failure.steps.ts'
import type { Fault } from './faults.ts'
import { load } from './load.steps.ts'
import { password } from './password.steps.ts'
import { session } from './session.steps.ts'

/** Does something to what is drawn, now and whenever that changes. */
const drawn = (change: () => void) => () => {
  const observer = new MutationObserver(change)
  observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  change()
  return () => observer.disconnect()
}
const buttons = (text: string) =>
  [...document.querySelectorAll<HTMLElement>('button, [role=menuitem]')].filter((it) => it.textContent === text)
/** Does something else in place of what a press of this button does. */
const pressed = (text: string, instead: () => void) => () => {
  const hear = (event: Event) => {
    if (!buttons(text).some((it) => it.contains(event.target as Node))) return
    event.stopImmediatePropagation()
    event.preventDefault()
    instead()
  }
  document.addEventListener('click', hear, true)
  return () => document.removeEventListener('click', hear, true)
}
/** The browser's storage, but for what it does with the session. */
const storage = (name: 'setItem' | 'removeItem') => () => {
  const own = localStorage[name] as (...given: string[]) => void
  const replace = (value: unknown) => Object.defineProperty(localStorage, name, { configurable: true, writable: true, value })
  replace((...given: string[]) => given[0] !== storageKey && own(...given))
  return () => replace(own)
}
const nothing = () => {}
const withoutToken = (route: string) => ({
  call: (call: { route: string; headers: Record<string, string> }) => call.route === route && delete call.headers['authorization'],
})
const answered = (route: string, status: number, instead: number) => ({
  answer: (call: { route: string }, given: number) => (call.route === route && given === status ? instead : given),
})
const waiting = (instead: number) => ({ timer: (ms: number) => (ms === 300_000 ? instead : ms) })
const keepPassword = () => {
  const hear = () => localStorage.setItem('last', document.querySelector<HTMLInputElement>('[type=password]')?.value ?? '')
  document.addEventListener('submit', hear, true)
  return () => document.removeEventListener('submit', hear, true)
}
const deaf = () => {
  const hear = (event: Event) => event.stopImmediatePropagation()
  window.addEventListener('storage', hear, true)
  return () => window.removeEventListener('storage', hear, true)
}

type States = Record<string, { on: Record<string, unknown>; invoke: { onDone: unknown; onError: unknown } }>
/** The same machine but for one change in what is written of it. */
const changed = <M extends AnyStateMachine>(machine: M, change: (states: States) => void): M => {
  const config = copy(machine.config) as unknown as { states: States }
  change(config.states)
  return createMachine(config as never, machine.implementations as never) as unknown as M
}

const list = 'GET /api/v1/merchant'
export const sessionFaults: readonly Fault[] = [
  {
    name: 'the rejection is not shown',
    model: session,
    state: 'login form',
    stimulus: 'signs in: wrong password',
    says: /'Invalid Username or Password' is not said/,
    tamper: { page: drawn(() => document.querySelectorAll('[role=alert] p').forEach((it) => it.remove())) },
  },
  {
    name: 'Cancel does nothing',
    model: session,
    state: 'terms dialog',
    stimulus: 'declines',
    says: /no answered call PUT \/api\/v1\/logout/,
    tamper: { page: pressed('Cancel', nothing) },
  },
  {
    name: 'Agree declines',
    model: session,
    state: 'terms dialog',
    stimulus: 'accepts: ok',
    says: /no answered call POST \/api\/v1\/tc\/accept/,
    tamper: { page: pressed('Agree', () => buttons('Cancel')[0]?.click()) },
  },
  {
    name: 'the renewal goes out without the token',
    model: session,
    state: 'portal',
    stimulus: 'waits 300000 ms: ok',
    says: /renewed without the token/,
    tamper: withoutToken('PUT /api/v1/renew'),
  },
  {
    name: 'the renewal is late',
    model: session,
    state: 'portal',
    stimulus: 'waits 300000 ms: ok',
    says: /no answered call PUT \/api\/v1\/renew/,
    tamper: waiting(300_001),
  },
  {
    name: 'the renewal is early',
    model: session,
    state: 'portal',
    stimulus: 'waits 300000 ms: ok',
    says: /renewed too early/,
    tamper: waiting(299_999),
  },
  {
    name: 'a 401 is swallowed',
    model: session,
    state: 'portal',
    stimulus: 'loads data: signed out meanwhile',
    says: /address is \/manage/,
    tamper: answered(list, 401, 500),
  },
  {
    name: 'a 428 is taken for a 401',
    model: session,
    state: 'portal',
    stimulus: 'loads data: terms changed',
    says: /0 dialogs are open/,
    tamper: answered(list, 428, 401),
  },
  {
    name: 'a 428 of the renewal is taken for a failure',
    model: session,
    state: 'portal',
    stimulus: 'waits 300000 ms: terms changed',
    says: /0 dialogs are open/,
    tamper: answered('PUT /api/v1/renew', 428, 500),
  },
  {
    name: 'the user is never stored',
    model: session,
    state: 'login form',
    stimulus: 'signs in: ok',
    says: /the browser keeps undefined/,
    tamper: { page: storage('setItem') },
  },
  {
    name: 'the user is never cleared',
    model: session,
    state: 'portal',
    stimulus: 'logs out',
    says: /the browser still keeps a user/,
    tamper: { page: storage('removeItem') },
  },
  {
    name: 'the password is kept',
    model: session,
    state: 'login form',
    stimulus: 'signs in: ok',
    says: /keeps the password of staff/,
    tamper: { page: keepPassword },
  },
  {
    name: 'there is no Logout',
    model: session,
    state: 'portal',
    stimulus: 'logs out',
    says: /there is no Logout/,
    tamper: { page: drawn(() => buttons('Logout').forEach((it) => it.remove())) },
  },
  {
    name: 'the token outlives the logout',
    model: session,
    state: 'portal',
    stimulus: 'logs out',
    says: /the token was not sent to its end/,
    tamper: withoutToken('PUT /api/v1/logout'),
  },
  {
    name: 'another tab is not heard',
    model: session,
    state: 'portal',
    stimulus: 'another tab logs out',
    says: /address is \/manage/,
    tamper: { page: deaf },
  },
  {
    name: 'the error dialog stays away',
    model: session,
    state: 'portal',
    stimulus: 'loads data: server fails',
    says: /'Answered 500 by the test' is not said/,
    tamper: { page: drawn(() => document.querySelectorAll('.shell-message').forEach((it) => it.replaceChildren())) },
  },
  {
    name: 'the id of the request is missing',
    model: failure,
    state: 'merchants',
    stimulus: 'sorts, and the server fails',
    says: /the id of the request is missing/,
    tamper: { page: drawn(() => document.querySelectorAll('.shell-request').forEach((it) => it.replaceChildren())) },
  },
  {
    name: 'the dialog closes though the password was refused',
    model: password,
    state: 'empty dialog',
    stimulus: 'saves a short one',
    says: /1 dialogs are open/,
    tamper: { wired: (wired) => void (wired.password = changed(wired.password, ({ saving }) => (saving!.invoke.onError = 'closed'))) },
  },
  {
    name: 'the dialog stays though the password was changed',
    model: password,
    state: 'empty dialog',
    stimulus: 'saves a new one',
    says: /1 dialogs are open/,
    tamper: { wired: (wired) => void (wired.password = changed(wired.password, ({ saving }) => (saving!.invoke.onDone = 'editing'))) },
  },
  {
    name: 'figures that failed look like none',
    model: load,
    state: 'elsewhere',
    stimulus: 'opens Home, and the server fails',
    says: /nothing says that it failed/,
    tamper: { wired: (wired) => void (wired.chart = wired.chart.provide({ actors: { load: fromPromise<unknown>(async () => []) } })) },
  },
  {
    name: 'Retry does nothing',
    model: load,
    state: 'figures failed',
    stimulus: 'retries',
    says: /the table/,
    tamper: { wired: (wired) => void (wired.chart = changed(wired.chart, ({ failed }) => (failed!.on = {}))) },
  },
]
