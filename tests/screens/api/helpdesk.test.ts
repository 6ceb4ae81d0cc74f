import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import type { User } from '../../../schemas/api/session.ts'
import { startHelpdeskWidget, uninstallHelpdesk } from '../../../src/api/provide/helpdesk.ts'
import { provideSession } from '../../../src/api/provide/session.ts'
import { sessionClientOf } from '../../../src/api/sessionClient.ts'
import { createStore } from '../../../src/api/storedSession.ts'
import { replyFor, scripted, signedInCall } from '../../journeys/scripted.ts'

const address = 'https://desk.example/asap/1?orgId=7'
/** What the script may have put into the page, and things of the portal and of others beside it. */
const elements: [html: string, isTaken: boolean, isTakenWithoutAddress: boolean][] = [
  ['<div id="zohodesk-box"></div>', true, true],
  ['<div id="ZohoDeskAsapBox"></div>', true, true],
  ['<div class="zohodesk-frame"></div>', true, true],
  ['<script src="https://desk.example/more.js" type="text/plain"></script>', true, false],
  ['<iframe srcdoc="" src="https://desk.example/frame"></iframe>', true, false],
  ['<link rel="preload" href="https://desk.example/font.woff">', true, false],
  ['<script src="https://desk.example.evil.example/x.js" type="text/plain"></script>', false, false],
  ['<iframe srcdoc="" src="https://other.example/frame"></iframe>', false, false],
  ['<link rel="preload" href="/assets/own.woff">', false, false],
  ['<img src="https://desk.example/logo.png">', false, false],
  ['<div id="own" class="own zohodesk"></div>', false, false],
]
const names = [
  'ZohoDeskAsap',
  'ZohoDeskAsapReady',
  'ZohoDeskAsapReadyStatus',
  'ZohoDeskAsap__asyncalls',
] as const
const globals = globalThis as Record<string, unknown>
let box: HTMLElement
beforeEach(() => void (box = document.body.appendChild(document.createElement('div'))))
afterEach(() => {
  box.remove()
  for (const name of names) delete globals[name]
})

test.each(elements)(
  'when the widget goes, %s goes with it: %s; without its address: %s',
  (html, ...taken) => {
    for (const [index, isTaken] of taken.entries()) {
      // Set as text, so that nothing is loaded.
      const template = document.createElement('template')
      template.innerHTML = html
      const element = template.content.firstElementChild!
      box.append(element)
      uninstallHelpdesk(index === 0 ? address : null)
      expect(element.isConnected).toBe(!isTaken)
      element.remove()
    }
  },
)

test('when the widget goes, it is signed out first, and its names go, also when signing out fails', () => {
  const invoke = vi.fn<(what: string) => void>(() => {
    throw new Error('the script is broken')
  })
  for (const name of names) globals[name] = name
  globals.ZohoDeskAsap = { invoke }
  uninstallHelpdesk(address)
  expect(invoke.mock.calls).toEqual([['logout']])
  expect(names.filter((name) => name in globals)).toEqual([])
})

const ann: User = { ...replyFor({ email: 'ann@example.com' }), username: 'ann' }
test.each<[who: string, user: User, isGone: boolean]>([
  ['the same person', ann, false],
  ['somebody without an email', { ...ann, username: 'ben', email: null }, true],
])('where another tab is signed in by %s', async (_, user, isGone) => {
  const server = scripted()
  const call = signedInCall(server)
  const effects = { onLogout() {}, resendCalls() {}, startOver() {} }
  const machine = provideSession(sessionClientOf(call), createStore(), effects)
  const session = createActor(machine, { input: { stored: ann } }).start()
  const widget = startHelpdeskWidget({ call, session, actorEnvironment: {} })
  widget.send({ type: 'install', script: address })
  expect(widget.getSnapshot().matches('idle')).toBe(false)
  session.send({ type: 'tab.signedIn', user })
  expect(widget.getSnapshot().matches('idle')).toBe(isGone)
  session.stop()
})
