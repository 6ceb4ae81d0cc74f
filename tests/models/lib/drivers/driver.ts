import type { TestPortal } from '../../../testPortal.ts'
import type { Network } from './network.ts'

/** Where something is: its role, where that is not 'button', and the dialog it stands in. */
export type Place = { role?: Role; dialog?: string | RegExp; /** The last of several. */ last?: true }
export type Role =
  | 'alert'
  | 'alertdialog'
  | 'button'
  | 'cell'
  | 'checkbox'
  | 'columnheader'
  | 'combobox'
  | 'complementary'
  | 'dialog'
  | 'heading'
  | 'link'
  | 'listbox'
  | 'menuitem'
  | 'option'
  | 'progressbar'
  | 'region'
  | 'row'
  | 'rowheader'
  | 'searchbox'
  | 'status'
  | 'table'
  | 'textbox'
  | 'tree'
  | 'treeitem'

/**
 * A person at one tab of a browser, with the real server behind it. The same words drive the screens drawn in
 * happy-dom (domDriver.tsx) and Chromium (chromiumDriver.ts). Everything waits until it can be done, and
 * throws when it cannot.
 */
export interface Driver {
  readonly portal: TestPortal
  /** Every call to the server passes here, and can be answered in its place. Shared by all tabs. */
  readonly network: Network
  /** Loads the page at this path, as if typed into the address bar. */
  go(path: string): Promise<void>
  reload(): Promise<void>
  back(): Promise<void>
  forward(): Promise<void>
  /** Path and query. */
  url(): string
  /** Replaces what stands in the field with this label. */
  fill(label: string, text: string, place?: Pick<Place, 'dialog'>): Promise<void>
  press(name: string | RegExp, place?: Place): Promise<void>
  /** Presses the button, which opens the browser's file dialog, and chooses files there. */
  choose(button: string, ...files: { name: string; content: string | Buffer }[]): Promise<void>
  /** Chooses this option of the list with this label. */
  pick(label: string, option: string): Promise<void>
  /** How many a screen reader finds. */
  count(role: Role, name?: string | RegExp, place?: Pick<Place, 'dialog'>): Promise<number>
  /** The texts of all of them, joined. */
  text(role: Role, name?: string | RegExp): Promise<string>
  /** The text of each of them, or of each of those in the region or list box of this name. */
  texts(role: Role, name?: string | RegExp, region?: string, within?: 'region' | 'listbox'): Promise<string[]>
  /** What assistive technology says of the one there is, besides its name. */
  state(role: Role, name: string | RegExp, place?: Pick<Place, 'dialog'>): Promise<State>
  /** Whether these words can be read somewhere. */
  shows(words: string): Promise<boolean>
  /** What stands in the field with this label. */
  value(label: string): Promise<string>
  /** Presses a key as keyboards name it ('Enter', 'ArrowDown', 'a', 'Control+k'), wherever the focus is. */
  key(name: string): Promise<void>
  /** Puts the focus there. */
  focus(role: Role, name: string | RegExp): Promise<void>
  /** The files that were saved, oldest first. */
  saved(): Promise<Saved[]>
  /** What the browser keeps of the portal, by its key. */
  storage(): Promise<Record<string, string>>
  /** Puts something there, as if from an earlier visit. Before a page is loaded. */
  keep(key: string, value: string): Promise<void>
  /**
   * Time stands still but for `pass` and `elapse`, until `thaw`. In happy-dom that is so for the machines
   * always.
   */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Lets milliseconds pass. Only while frozen. */
  pass(ms: number): Promise<void>
  /**
   * Lets time pass until `short` milliseconds before the end of the running timer that was set to `timer`
   * milliseconds, and freezes it there.
   */
  elapse(timer: number, short: number): Promise<void>
  /** When the newest timer of `timer` milliseconds began, on the clock of the page. Waits for the first one. */
  begun(timer: number): Promise<number>
  /** Repeats a check until it no longer throws; throws its last error after some seconds. */
  eventually(check: () => Promise<void> | void): Promise<void>
  /** Waits until the page has drawn all that was changed. */
  settle(): Promise<void>
  /** Another tab of the same browser, at this path. */
  tab(path: string): Promise<Driver>
  /** What the window shows, as WebP; only where something is really drawn. */
  picture?(): Promise<Buffer>
  /** Leaves no trace: the tabs are closed, what the browser kept is gone. */
  close(): Promise<void>
}

/** Something a person does, or a check of what is seen. */
export type Step = (it: Driver) => Promise<void>
export type Saved = { name: string; content: string }
export type State = {
  disabled: boolean
  focused: boolean
  busy: boolean
  invalid: boolean
  current: boolean
  sort: string
  description: string
}

/** Uses nothing outside itself, for it runs in pages of Chromium as well. */
export function statesOf(all: readonly Element[]): State[] {
  return all.map((it) => {
    const says = (name: string) => it.getAttribute(`aria-${name}`) ?? ''
    return {
      disabled: it.hasAttribute('disabled') || says('disabled') === 'true',
      focused: it.ownerDocument.activeElement === it,
      busy: says('busy') === 'true',
      invalid: says('invalid') === 'true',
      current: says('current') !== '',
      sort: says('sort'),
      description: says('describedby')
        .split(' ')
        .map((id) => (id && it.ownerDocument.getElementById(id)?.textContent) || '')
        .join(' ')
        .trim(),
    }
  })
}

export function ok(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise)
}

/** How long, in milliseconds, what is expected may take. */
export const timeout = 15_000

/** Repeats until it no longer throws, and answers what it answered; throws its last error. */
export async function eventually<T>(check: () => Promise<T> | T, most = timeout): Promise<T> {
  const end = Date.now() + most
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((again) => setTimeout(again, 20))
    }
  }
}
