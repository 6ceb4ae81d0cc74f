import { useCallback, useEffect, useMemo } from 'react'
import { createActor, type ActorRefFrom } from 'xstate'
import type { downloadMachine } from '../../../machines/download.machine.ts'
import { useActorEnvironment } from '../../parts/actorEnvironment.ts'

export type DownloadMachine = typeof downloadMachine
export type DownloadActor = ActorRefFrom<DownloadMachine>

/**
 * One actor for each file, made when it is first asked for: a download goes on while its row is out of sight. Leaving the
 * screen ends what is under way.
 */
export const useDownloads = (machine: DownloadMachine): ((id: string) => DownloadActor) => {
  const given = useActorEnvironment()
  const actors = useMemo(() => new Map<string, DownloadActor>(), [machine, given])
  useEffect(
    () => () => {
      for (const actor of actors.values()) actor.send({ type: 'cancel' })
    },
    [actors],
  )
  return useCallback(
    (id) => {
      const known = actors.get(id)
      if (known) return known
      const actor = createActor(machine, { ...given, input: { id } }).start()
      actors.set(id, actor)
      return actor
    },
    [actors, machine, given],
  )
}
