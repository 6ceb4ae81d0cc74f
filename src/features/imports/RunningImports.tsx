import { useEffect, useRef, useState } from 'react'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { RunningImport } from '../../../schemas/imports/importReplies.ts'
import { formatLocalDateTime } from '../../parts/format.ts'
import { usePolledLoad } from '../../parts/hooks/polling.ts'
import { WorkProgress } from './WorkProgress.tsx'

/** Milliseconds between two questions while imports are under way, and while none is. */
const [busyInterval, quietInterval] = [2_000, 15_000]

type Props = {
  machine: typeof loadMachine
  /** The import whose progress the form shows, and which stays left out once it has ended. */
  except?: string | undefined
  /** Called when an import that was under way is not any more. */
  onEnd: () => void
}

/** The imports of a kind that are under way, also those of other people and other screens (imports 41). */
export const RunningImports = ({ machine, except, onEnd }: Props) => {
  const { reply } = usePolledLoad<readonly RunningImport[]>(
    machine,
    (running) => (running?.length ? busyInterval : quietInterval),
    { retries: true },
  )
  const [own, setOwn] = useState<readonly string[]>([])
  if (except !== undefined && !own.includes(except)) setOwn([...own, except])
  const others = (reply ?? []).filter(({ job }) => !own.includes(job))
  useCallOnEnd(
    others.map(({ job }) => job),
    onEnd,
  )
  return (
    others.length > 0 && (
      <ul className="import-running" aria-label="Imports under way">
        {others.map((one) => (
          <li key={one.job}>
            <span>
              <strong>{one.filename}</strong> by {one.username}, begun {formatLocalDateTime(one.startedat)}
            </span>
            <WorkProgress work={one} />
          </li>
        ))}
      </ul>
    )
  )
}

/** Calls back once for each change after which one of the former jobs is not there any more. */
function useCallOnEnd(jobs: readonly string[], onEnd: () => void) {
  const latest = useRef(onEnd)
  const before = useRef<readonly string[]>([])
  useEffect(() => {
    latest.current = onEnd
  })
  const key = jobs.join()
  useEffect(() => {
    const now = key === '' ? [] : key.split(',')
    const hasEnded = before.current.some((job) => !now.includes(job))
    before.current = now
    if (hasEnded) latest.current()
  }, [key])
}
