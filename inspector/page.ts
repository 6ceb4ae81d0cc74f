import { createBrowserInspector, type StatelyInspectionEvent } from '@statelyai/inspect'
import { createMachine, type AnyStateMachine } from 'xstate'
import { activeIds, updateActor, describeEvent, type Actor } from './actors.ts'
import { chartOf } from './chart.ts'
import './page.css'
import { type ReplayRequest, channelName, type TabClosed, type TabEvent } from './stream.ts'

const at = <E extends HTMLElement>(id: string) => document.getElementById(id) as E
const actors = new Map<string, Actor>()
const titles = new Map<string, string>()
const charts = new Map<string, Promise<string>>()
/** How many events of an actor are shown. */
const maxShownEvents = 500
let chosen: string | null = null
let isPaused = false
let stately: ReturnType<typeof createBrowserInspector> | null = null
const received: StatelyInspectionEvent[] = []

const channel = new BroadcastChannel(channelName)
channel.onmessage = ({ data }: MessageEvent<ReplayRequest | TabClosed | TabEvent>) => {
  if ('replay' in data) return
  if ('closed' in data) return forget(data.closed)
  received.push(data.event)
  titles.set(data.tab, data.title)
  stately?.adapter.send(data.event)
  updateActor(actors, data)
  if (!isPaused) draw()
}
channel.postMessage({ replay: true } satisfies ReplayRequest)

function forget(tab: string) {
  titles.delete(tab)
  for (const [key, actor] of actors) if (actor.tab === tab) actors.delete(key)
  if (chosen !== null && !actors.has(chosen)) chosen = null
  draw()
}

let isDue = false
/** Draws once per frame, however many events come. */
function draw() {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    drawActors()
    void drawChosen()
  })
}

function drawActors() {
  const running = [...actors.values()].filter(
    ({ definition, isStarted, status }) => definition && isStarted && status === 'active',
  )
  chosen ??= running[0]?.key ?? null
  at('summary').textContent =
    `${running.length} ${running.length === 1 ? 'machine runs' : 'machines run'}, ${received.length} messages`
  at('actors').replaceChildren(
    ...[...titles].flatMap(([tab, title]) => [
      heading(title),
      ...running.filter((actor) => actor.tab === tab).map(entry),
    ]),
  )
}

const heading = (title: string) =>
  Object.assign(document.createElement('li'), { className: 'tab', textContent: title })

function entry({ key, name, stateText }: Actor) {
  const button = Object.assign(document.createElement('button'), { type: 'button' })
  button.setAttribute('aria-pressed', String(key === chosen))
  button.append(name, Object.assign(document.createElement('span'), { textContent: stateText }))
  button.onclick = () => {
    chosen = key
    draw()
  }
  const item = document.createElement('li')
  item.append(button)
  return item
}

async function drawChosen() {
  const actor = chosen === null ? undefined : actors.get(chosen)
  if (!actor?.definition) return
  at('chart').classList.toggle('ended', actor.status !== 'active')
  at('name').textContent = actor.name
  at('state').textContent = actor.stateText
  at('context').textContent = JSON.stringify(actor.context, null, 2) ?? ''
  at('events').replaceChildren(
    ...actor.events
      .toReversed()
      .slice(0, maxShownEvents)
      .map(({ time, event }) =>
        Object.assign(document.createElement('li'), { textContent: `${time} ${describeEvent(event)}` }),
      ),
  )
  const { definition, key } = actor
  if (!charts.has(definition))
    charts.set(definition, chartOf(createMachine(JSON.parse(definition) as never) as AnyStateMachine))
  const chart = await charts.get(definition)!
  if (chosen !== key) return
  if (at('chart').dataset['drawn'] !== definition) {
    at('chart').innerHTML = chart
    at('chart').dataset['drawn'] = definition
  }
  const active = activeIds(actor)
  for (const state of at('chart').querySelectorAll<SVGElement>('.state'))
    state.classList.toggle('active', active.has(state.dataset['state']!))
}

at('pause').onclick = () => {
  isPaused = !isPaused
  at('pause').setAttribute('aria-pressed', String(isPaused))
  if (!isPaused) draw()
}
at('clear').onclick = () => {
  for (const actor of actors.values()) actor.events.length = 0
  draw()
}
at('stately').onclick = () => {
  stately = createBrowserInspector({
    autoStart: false,
    maxDeferredEvents: 10_000,
    serialize: (event) => event,
  })
  stately.adapter.start?.()
  for (const event of received) stately.adapter.send(event)
}
