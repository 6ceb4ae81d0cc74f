import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the stand-in of the desk's script behaves. */
export type Manner = 'good' | 'missing' | 'hangs' | 'never ready' | 'throws at sign-in'

/** Runs in the page. Speaks the vendor's published interface, and records in `deskLog` what it is called with. */
function standIn(manner: Manner) {
  const page = globalThis as unknown as Record<string, unknown> & {
    deskLog?: string[]
    ZohoDeskAsapReady?: (run?: () => void) => void
  }
  const log = (page.deskLog ??= [])
  const box = document.createElement('div')
  box.id = 'zohodesk-stand-in'
  box.textContent = 'Help'
  document.body.append(box)
  page['ZohoDeskAsap'] = {
    invoke(what: string, wanted?: (take: (token: string) => void, fail: () => void) => void) {
      log.push(what)
      if (what !== 'login') return
      if (manner === 'throws at sign-in') throw new Error('the desk is broken')
      wanted?.(
        (token) => log.push(`token ${token}`),
        () => log.push('no token'),
      )
    },
  }
  if (manner === 'never ready') return
  setTimeout(() => {
    page['ZohoDeskAsapReadyStatus'] = true
    page.ZohoDeskAsapReady?.()
  }, 30)
}

/** A host of its own that serves the stand-in; `asked` are the addresses it was asked for. */
export async function deskServer() {
  const asked: string[] = []
  let manner: Manner = 'good'
  const server = createServer((request, reply) => {
    asked.push(request.url ?? '')
    if (manner === 'hangs') return
    if (manner === 'missing') return void reply.writeHead(404).end()
    reply.writeHead(200, { 'content-type': 'text/javascript' }).end(`(${standIn})(${JSON.stringify(manner)})`)
  })
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', open))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    behave: (now: Manner) => void (manner = now),
    close: () =>
      new Promise<void>((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}
