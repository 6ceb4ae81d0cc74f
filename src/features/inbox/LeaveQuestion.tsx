import { useBlocker } from 'react-router-dom'
import { Confirm } from '../../parts/Confirm.tsx'
import { formatCount } from '../../parts/format.ts'
import { leavesScreen, useCloseQuestion } from '../../parts/unsaved/discard.tsx'
import type { InboxSnapshot } from './inbox.ts'
import { doneWords } from './InboxProgress.tsx'

/**
 * Asks before the screen, or the tab, is left with tasks that would be dropped with it. Rendered only while
 * there are some: the router asks the newest blocker alone, and one that stays would keep a form of the same
 * screen from asking.
 */
export const LeaveQuestion = ({ snapshot: { context } }: { snapshot: InboxSnapshot }) => {
  const blocker = useBlocker(leavesScreen)
  useCloseQuestion(true)
  if (blocker.state !== 'blocked') return null
  const left = [...(context.task ? [context.task] : []), ...context.queue]
  const words = [...new Set(left.map(({ name }) => doneWords[name]))]
  return (
    <Confirm
      choices={[
        { text: 'Stop and leave', intent: 'danger', onClick: () => blocker.proceed() },
        { text: 'Stay', onClick: () => blocker.reset() },
      ]}
    >
      {left.length === 1 ? `${left[0]!.filename} is` : `${formatCount(left.length)} files are`} not{' '}
      {words.length === 1 ? words[0] : 'done'} yet. Stop that and leave?
    </Confirm>
  )
}
