import { useEffect } from 'react'
import type { loadMachine } from '../../../machines/load.machine.ts'
import { usePolledLoad } from '../../parts/hooks/polling.ts'

/** Milliseconds between two questions how many files wait. */
const countInterval = 60_000

type OnCount = (waiting: number) => void
type Props = {
  inbox: { count: typeof loadMachine; watchWaiting: (onCount: OnCount) => () => void }
  onCount: OnCount
}

/** Reports how many files wait in the inbox, at once and every minute; the list reports it too (inbox 10). */
export const InboxCount = ({ inbox, onCount }: Props) => {
  useEffect(() => inbox.watchWaiting(onCount), [inbox, onCount])
  usePolledLoad(inbox.count, () => countInterval, { retries: true })
  return null
}
