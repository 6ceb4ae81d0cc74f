import type { ReactNode } from 'react'
import { useBlocker } from 'react-router-dom'
import { Confirm } from '../Confirm.tsx'
import { leavesScreen, useCloseQuestion } from './discard.ts'

/**
 * Asks before the screen, or the tab, is left with work that would end with it. `children` say what is not
 * done. Rendered only while there is such work: the router asks the newest blocker alone, and one that stays
 * would keep a form of the same screen from asking.
 */
export const LeaveQuestion = ({ children }: { children: ReactNode }) => {
  const blocker = useBlocker(leavesScreen)
  useCloseQuestion(true)
  return (
    blocker.state === 'blocked' && (
      <Confirm
        choices={[
          { text: 'Stop and leave', intent: 'danger', onClick: () => blocker.proceed() },
          { text: 'Stay', onClick: () => blocker.reset() },
        ]}
      >
        {children} Stop that and leave?
      </Confirm>
    )
  )
}
