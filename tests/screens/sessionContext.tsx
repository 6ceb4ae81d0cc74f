import type { ReactNode } from 'react'
import { onTestFinished } from 'vitest'
import { SessionContext } from '../../src/parts/unsaved/sessionContext.ts'

/** A person whose session can be ended, and what is drawn for this person. */
export const fakeSession = (username = 'ann') => {
  onTestFinished(() => sessionStorage.clear())
  let user: { username: string } | null = { username }
  const session = { getSnapshot: () => ({ context: { user } }) }
  return {
    end: () => {
      user = null
    },
    drawnFor: (children: ReactNode) => <SessionContext value={session}>{children}</SessionContext>,
  }
}
