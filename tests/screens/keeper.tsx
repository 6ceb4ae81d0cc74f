import type { ReactNode } from 'react'
import { onTestFinished } from 'vitest'
import { KeeperContext } from '../../src/parts/unsaved/keeper.ts'

/** A person whose session can be ended, and what is drawn for this person. */
export const keeperOf = (username = 'ann') => {
  onTestFinished(() => sessionStorage.clear())
  let user: { username: string } | null = { username }
  const keeper = { getSnapshot: () => ({ context: { user } }) }
  return {
    end: () => {
      user = null
    },
    drawnFor: (children: ReactNode) => <KeeperContext value={keeper}>{children}</KeeperContext>,
  }
}
