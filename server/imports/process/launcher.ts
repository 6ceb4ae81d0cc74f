import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { LauncherAnswer, LauncherRequest } from './launch.ts'

/**
 * The process that starts readers for the portal (decision 4): a small process is copied in a millisecond,
 * and a large one stops for as long as the copy of its tables of memory takes. It hands over the standard
 * output of a reader and passes messages on; it reads no file, and ends with the portal.
 */
const readers = new Map<number, ChildProcess>()

const answer = (it: LauncherAnswer, handle?: Socket) => {
  if (process.connected) process.send!(it, handle)
}

function start(id: number, { entry, execArgv }: { entry: string; execArgv: string[] }) {
  const child = fork(entry, [], { execArgv, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  readers.set(id, child)
  child.on('message', (message) => answer({ id, message }))
  child.stderr!.on('data', (text: Buffer) => answer({ id, errorOutput: text.toString() }))
  child.once('error', (error) => answer({ id, error: error.message }))
  // What it said last comes before the end of its channels, which may come after that of the process.
  const closed = Promise.all([once(child, 'disconnect'), once(child.stderr!, 'close')])
  child.once('exit', async (code, signal) => {
    await closed
    readers.delete(id)
    answer({ id, exit: { code, signal } })
  })
  // Nothing has been read of it: a reader writes after its request, which comes when this has arrived.
  answer({ id, pid: child.pid ?? 0 }, child.stdout as Socket)
}

process.on('message', (request: LauncherRequest) => {
  const { id } = request
  if ('start' in request) start(id, request.start)
  else if ('kill' in request) readers.get(id)?.kill('SIGKILL')
  else readers.get(id)?.send(request.send as object, () => {})
})
const end = () => {
  for (const child of readers.values()) child.kill('SIGKILL')
  process.exit(0)
}
process.on('disconnect', end)
// Node emits no 'disconnect' while the portal has yet to acknowledge a handle, and then it never will: the
// end of a portal that was killed at that moment is that of this pipe.
process.stdin.on('end', end).on('error', end).resume()
// Ctrl-C reaches all processes of a terminal: the portal decides when this one ends.
process.on('SIGINT', () => {})
