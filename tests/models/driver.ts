import type { World } from '../world.ts'
import type { Network } from './network.ts'

/** Where something is: its role, where that is not 'button', and the dialog it stands in. */
export type Place = { role?: Role; dialog?: string | RegExp }
export type Role =
  | 'alert' | 'alertdialog' | 'button' | 'cell' | 'checkbox' | 'columnheader' | 'dialog' | 'heading' | 'link' | 'menuitem'
  | 'progressbar' | 'region' | 'row' | 'rowheader' | 'searchbox' | 'status' | 'table' | 'textbox'

/**
 * A person at one tab of a browser, with the real server behind it. The same words drive the screens drawn in happy-dom
 * (dom.tsx) and Chromium (chromium.ts). Everything waits until it can be done, and throws when it cannot.
 */
export interface Driver {
  readonly world: World
  /** Every call to the server passes here, and can be answered in its place. Shared by all tabs. */
  readonly network: Network
  /** Loads the page at this path, as if typed into the address bar. */
  go(path: string): Promise<void>
  reload(): Promise<void>
  back(): Promise<void>
  /** Path and query. */
  url(): string
  /** Replaces what stands in the field with this label. */
  fill(label: string, text: string, place?: Pick<Place, 'dialog'>): Promise<void>
  press(name: string | RegExp, place?: Place): Promise<void>
  /** Chooses a file in the field with this label. */
  choose(label: string, file: { name: string; content: string | Buffer }): Promise<void>
  /** Chooses this option of the list with this label. */
  pick(label: string, option: string): Promise<void>
  /** How many a screen reader finds. */
  count(role: Role, name?: string | RegExp, place?: Pick<Place, 'dialog'>): Promise<number>
  /** The texts of all of them, joined. */
  text(role: Role, name?: string | RegExp): Promise<string>
  /** What stands in the field with this label. */
  value(label: string): Promise<string>
  /** What the browser keeps of the portal, by its key. */
  storage(): Promise<Record<string, string>>
  /** Time stands still but for `pass` and `elapse`, until `thaw`. In happy-dom that is so for the machines always. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Lets milliseconds pass. Only while frozen. */
  pass(ms: number): Promise<void>
  /**
   * Lets time pass until `short` milliseconds before the end of the running timer that was set to `timer`
   * milliseconds, and freezes it there.
   */
  elapse(timer: number, short: number): Promise<void>
  /** Repeats a check until it no longer throws; throws its last error after some seconds. */
  eventually(check: () => Promise<void> | void): Promise<void>
  /** Another tab of the same browser, at this path. */
  tab(path: string): Promise<Driver>
  /** Leaves no trace: the tabs are closed, what the browser kept is gone. */
  close(): Promise<void>
}

export function ok(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise)
}
