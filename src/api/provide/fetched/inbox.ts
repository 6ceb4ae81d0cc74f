import { fromPromise } from 'xstate'
import { inboxMachine, type InboxTask } from '../../../../machines/inbox/inbox.machine.ts'
import { loadMachine } from '../../../../machines/load.machine.ts'
import { mappingMachine } from '../../../../machines/mapping.machine.ts'
import { inboxCalls, type InboxView } from '../../../../schemas/api/inbox/inbox.ts'
import type { Call } from '../../http.ts'
import { memoize } from '../../memoize.ts'
import { provideInboxCount } from '../inboxCount.ts'

/** Sends the call of a task; `onProgress` gets the percentage of a file that was sent. */
async function sendTask(
  call: Call,
  task: InboxTask,
  signal: AbortSignal,
  onProgress: (percent: number) => void,
): Promise<unknown> {
  if (task.name === 'add') {
    const body = new FormData()
    if (task.kind) body.append('kind', task.kind)
    body.append('file', task.content as File, task.filename)
    return call(inboxCalls.add, { body, signal, onProgress })
  }
  const options = { params: { id: task.id }, signal } as const
  if (task.name === 'dismiss') return call(inboxCalls.dismiss, options)
  const { answers } = task
  if (task.name === 'import') {
    const { again } = task
    return call(inboxCalls.import, { ...options, body: { ...(answers && { answers }), again } })
  }
  return call(inboxCalls.check, { ...options, body: answers ? { answers } : {} })
}

/** The machines of the inbox: what is listed, for each view of it, and what is done with the files. */
export const provideInbox = memoize((call: Call) => {
  const { report } = provideInboxCount(call)
  return {
    list: (view: InboxView) =>
      loadMachine.provide({
        actors: {
          load: fromPromise<unknown>(async ({ signal }) => {
            const reply = await call(inboxCalls.list, { query: view, signal })
            if (!view.ended && view.month === undefined) report(reply.total_length)
            return reply
          }),
        },
      }),
    mapping: mappingMachine,
    work: provideWork(call),
  }
})

const provideWork = (call: Call) =>
  inboxMachine.provide({
    actors: {
      work: fromPromise<unknown, { task: InboxTask | null }>(async ({ input: { task }, signal, self }) => {
        if (task)
          await sendTask(call, task, signal, (percent) => self._parent?.send({ type: 'progress', percent }))
      }),
    },
  })
