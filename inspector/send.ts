import { type ReplayRequest, channelName, createStream, type TabClosed, type TabEvent } from './stream.ts'

// Runs in the page before the portal, only in development. ?inspect turns the inspector on, ?inspect=0 off.
const key = 'inspect'
const asked = new URLSearchParams(location.search).get(key)
if (asked !== null) sessionStorage.setItem(key, asked === '0' ? '0' : '1')

if (sessionStorage.getItem(key) === '1') {
  const channel = new BroadcastChannel(channelName)
  const tab = crypto.randomUUID()
  const send = (event: TabEvent['event']) =>
    channel.postMessage({ tab, title: `${document.title} ${location.pathname}`, event } satisfies TabEvent)
  const stream = createStream(send)
  channel.onmessage = ({ data }: MessageEvent<ReplayRequest | TabClosed | TabEvent>) => {
    if ('replay' in data) for (const event of stream.replay()) send(event)
  }
  addEventListener('pagehide', () => channel.postMessage({ closed: tab } satisfies TabClosed))
  globalThis.portalInspect = stream.inspect

  const page = '/inspector.html'
  const link = Object.assign(document.createElement('a'), {
    href: page,
    target: 'inspector',
    textContent: 'Inspector',
  })
  link.style.cssText =
    'position:fixed;left:8px;bottom:8px;z-index:99;padding:4px 10px;border-radius:4px;' +
    'background:#1c2127;color:#fff;font:13px system-ui'
  addEventListener('DOMContentLoaded', () => document.body.append(link))
  // If the browser blocks it, the link remains.
  if (asked !== null && asked !== '0') open(page, 'inspector')
}
