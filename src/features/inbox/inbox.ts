import { useActor } from '@xstate/react'
import { useEffect, useRef, useState } from 'react'
import type { SnapshotFrom } from 'xstate'
import type { inboxMachine, InboxTask } from '../../../machines/inbox/inbox.machine.ts'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { mappingMachine } from '../../../machines/mapping.machine.ts'
import type { InboxFile, InboxListReply, InboxState, InboxView } from '../../../schemas/api/inbox/inbox.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import { isImportName } from '../../../schemas/imports/kinds.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import { usePolledLoad } from '../../parts/hooks/polling.ts'

export type InboxMachines = {
  list: (view: InboxView) => typeof loadMachine
  work: typeof inboxMachine
  mapping: typeof mappingMachine
}
export type InboxSnapshot = SnapshotFrom<typeof inboxMachine>

/** Milliseconds between two readings of the list while files come by themselves or are worked on. */
const refreshInterval = 5_000

/** The title of a kind of import without its verb: 'Daily Volume'. */
export const kindTitle = (kind: string): string =>
  isImportName(kind) ? imports[kind].title.replace(/^Import /, '') : kind

/** The words for each state (inbox 2). */
export const stateWords: Readonly<Record<InboxState, string>> = {
  waiting: 'Not checked yet',
  checking: 'Being checked',
  ready: 'Ready',
  asks: 'Asks',
  refused: 'Refused',
  repeated: 'Imported already',
  outgrown: 'Incomplete',
  importing: 'Being imported',
  imported: 'Imported',
  undone: 'Import undone',
  dismissed: 'Dismissed',
  replaced: 'Replaced',
}

const isBusy = ({ state }: InboxFile) => state === 'checking' || state === 'importing'

/** One view of the inbox: it is read when it appears, by `reload`, and again and again while files come. */
export function useInboxView(machines: InboxMachines, view: InboxView) {
  const [machine] = useState(() => machines.list(view))
  return usePolledLoad<InboxListReply>(machine, (reply) =>
    reply !== null && (reply.folder !== null || reply.data.some(isBusy)) ? refreshInterval : null,
  )
}

/** The actor that does the tasks; `onDone` is called after each. */
export function useInboxWork(machine: typeof inboxMachine, onDone: () => void) {
  const latest = useRef(onDone)
  useEffect(() => {
    latest.current = onDone
  })
  const [withActions] = useState(() => machine.provide({ actions: { reloadList: () => latest.current() } }))
  const [snapshot, send] = useActor(withActions, useActorEnvironment())
  return { snapshot, send, begin: (...tasks: InboxTask[]) => send({ type: 'begin', tasks }) }
}

/** The numbers of the files of which something is being done, or waits to be. */
export const pendingFiles = ({ context: { task, queue } }: InboxSnapshot): ReadonlySet<number> =>
  new Set([...(task ? [task] : []), ...queue].flatMap((it) => (it.name === 'add' ? [] : it.id)))

/** The task that imports a file as it is shown: its kind and the answers go with it (inbox 6). */
export const importTask = ({ id, filename, kind, answers }: InboxFile, again = false): InboxTask => ({
  name: 'import',
  id,
  filename,
  answers: { ...answers, ...(kind !== null && isImportName(kind) && { kind }) },
  again,
})
