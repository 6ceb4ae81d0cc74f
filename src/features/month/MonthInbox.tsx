import { Spinner } from '@blueprintjs/core'
import { useEffect, useState } from 'react'
import type { loadMachine } from '../../../machines/load.machine.ts'
import { loadable } from '../../parts/loadable.tsx'
import type { InboxMachines } from '../inbox/inbox.ts'
import type { MonthActor } from '../payouts/payouts.ts'

const RunningImports = loadable(async () => (await import('../imports/RunningImports.tsx')).RunningImports)
const InboxList = loadable(
  async () => (await import('../inbox/InboxList.tsx')).InboxList,
  <Spinner aria-label="Loading the inbox" />,
)

type Props = MonthActor & { month: string; machines: InboxMachines; running: typeof loadMachine }

/**
 * The files that wait, of every month: one that was dropped here and says another month stays visible
 * (cockpit 2). The month is read again after what was done with them.
 */
export const MonthInbox = ({ snapshot, send, month, machines, running }: Props) => {
  const [changes, setChanges] = useState({ seen: 0, shown: 0 })
  const isBehind = changes.seen > changes.shown && snapshot.can({ type: 'choose', month })
  useEffect(() => {
    if (!isBehind) return
    setChanges(({ seen }) => ({ seen, shown: seen }))
    send({ type: 'choose', month })
  }, [isBehind, month, send])
  const noteChange = () => setChanges(({ seen, shown }) => ({ seen: seen + 1, shown }))
  return (
    <>
      <RunningImports machine={running} onEnd={noteChange} />
      <InboxList machines={machines} kind="compdata" onChange={noteChange} />
    </>
  )
}
