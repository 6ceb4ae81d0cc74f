import { useCallback, useEffect, useMemo } from 'react'
import { createActor, type ActorRefFrom } from 'xstate'
import type { downloadMachine } from '../../machines/download.machine.ts'
import { errorProperty } from '../../machines/errors/errorProperty.ts'
import { useActorEnvironment } from './hooks/actorEnvironment.ts'

export type DownloadMachine = typeof downloadMachine
export type DownloadActor = ActorRefFrom<DownloadMachine>

const isGone = (error: unknown) => errorProperty(error, 'status') === 404

/**
 * Returns the download actor of a file id. It is created on first use and kept while the screen is open, so
 * that a download goes on while its row is scrolled away. Leaving the screen cancels all downloads (drive 4).
 * `onGone`, the same function at each drawing, is called with the id of a file that turns out to be there no
 * more.
 */
export const useDownloads = (
  provided: DownloadMachine,
  onGone?: (id: string) => void,
): ((id: string) => DownloadActor) => {
  const environment = useActorEnvironment()
  const machine = useMemo(
    () =>
      provided.provide({
        actions: {
          tellFailure: ({ context }, { error }) => void (isGone(error) && onGone?.(context.id)),
        },
      }),
    [provided, onGone],
  )
  const actors = useMemo(() => new Map<string, DownloadActor>(), [machine, environment])
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
      const actor = createActor(machine, { ...environment, input: { id } }).start()
      actors.set(id, actor)
      return actor
    },
    [actors, machine, environment],
  )
}

const byteUnits = ['bytes', 'kB', 'MB', 'GB']

/** '1.2 MB' of bytes; a kilobyte is 1,000 bytes. */
export const formatBytes = (value: number): string => {
  const step = value < 999.5 ? 0 : value < 999_500 ? 1 : value < 999_500_000 ? 2 : 3
  const amount = value / 1000 ** step
  const maximumFractionDigits = step === 0 || amount >= 9.95 ? 0 : 1
  const unit = value === 1 ? 'byte' : byteUnits[step]
  return `${amount.toLocaleString('en-US', { maximumFractionDigits })} ${unit}`
}
