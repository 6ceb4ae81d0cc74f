import type { Page } from 'playwright-core'
import type { Served } from '../lib/serve.ts'

/** Something that can be on the screen: who sees it, and how to get there. */
export type ScreenState = {
  name: string
  /** The username; null for somebody who is not signed in. */
  who: string | null
  show: (page: Page, server: Served) => Promise<unknown>
  /** Something fails on the way, of which browsers complain themselves. */
  fails?: true
  /** Shown on a window of this width alone. */
  width?: number
  /**
   * The state it goes on from, on the same page and with the same answers. Without it the page is empty
   * before `show`.
   */
  from?: ScreenState
}

/** States of one person's page, each of which goes on from the one before. */
export const sequence = (
  who: string | null,
  ...states: readonly Omit<ScreenState, 'who' | 'from'>[]
): ScreenState[] =>
  states.reduce<ScreenState[]>((before, state) => [...before, { ...state, who, from: before.at(-1) }], [])
