import { createButtonId, findKey, openAnywhere } from '../../parts/anywhere.ts'
import { firstField } from './firstField.ts'

/** What a key does. `keys` are pressed one after the other; a modifier stands before '+'. */
export type Key = {
  keys: readonly string[]
  text: string
  run: () => void
}
/** The heading of some keys in the dialog that shows them. */
export type KeyGroup = { title: string; keys: readonly Key[] }
/** A screen, where it is, and the path. */
type Place = { title: string; path: string }

/** The letter after g by which a screen is opened. A screen without one is found by Ctrl+K. */
export const letterOf: Readonly<Record<string, string>> = {
  '/': 'h',
  '/month': 'o',
  '/manage/agents': 'a',
  '/manage/equipment': 'e',
  '/manage/merchants': 'm',
  '/manage/adjustments': 'j',
  '/manage/processors': 'c',
  '/manage/statements': 's',
  '/import/merchants': 'i',
  '/inbox': 'n',
  '/reporting': 'r',
  '/payouts': 'p',
  '/shared-drive': 'd',
  '/tickets': 't',
  '/users': 'u',
  '/audit': 'l',
}

const main = () => document.getElementById('main')

const focusSearch = () => {
  const box = main()?.querySelector<HTMLInputElement>('input[type=search]:not(:disabled)')
  if (!box) return openAnywhere({ name: 'find' })
  box.focus()
  box.select()
}

/** What opens each row of the lists on the screen: the link or button in its first cell, checkbox aside. */
const rowLinks = () => [
  ...(main()?.querySelectorAll<HTMLElement>(
    'tbody tr > :is(:first-child, .table-first) :is(a[href], button)',
  ) ?? []),
]

/** Moves the focus by so many rows; from elsewhere to the first row. */
const moveBy = (step: 1 | -1) => {
  const links = rowLinks()
  const row = document.activeElement?.closest('tbody tr')
  const at = links.findIndex((link) => row?.contains(link))
  const next = at < 0 ? links[0] : links[at + step]
  next?.focus()
  next?.scrollIntoView?.({ block: 'nearest' })
}

/** Selects the row with the focus, or no longer. */
const toggleRow = () =>
  document.activeElement
    ?.closest('tbody tr')
    ?.querySelector<HTMLInputElement>('.table-check input:not(:disabled)')
    ?.click()

/** Begins a record: by the button that creates one, or in the form that stands on the screen for it. */
const begin = () => {
  const element = document.getElementById(createButtonId)
  if (element instanceof HTMLFormElement) element.querySelector<HTMLElement>(firstField)?.focus()
  else element?.click()
}

/** Every key: the handler and the dialog that shows them are both made from this table (everywhere 2). */
export const keyGroupsOf = (places: readonly Place[], go: (path: string) => void): readonly KeyGroup[] => [
  {
    title: 'Everywhere',
    keys: [
      { keys: [findKey], text: 'Find records and commands', run: () => openAnywhere({ name: 'find' }) },
      { keys: ['?'], text: 'Show the keys', run: () => openAnywhere({ name: 'keys' }) },
    ],
  },
  {
    title: 'In a list',
    keys: [
      { keys: ['/'], text: 'Search', run: focusSearch },
      { keys: ['j'], text: 'Next row', run: () => moveBy(1) },
      { keys: ['k'], text: 'Previous row', run: () => moveBy(-1) },
      // A link and a button do this by themselves.
      { keys: ['Enter'], text: 'Open the row', run: () => {} },
      { keys: ['x'], text: 'Select the row', run: toggleRow },
      { keys: ['n'], text: 'New record', run: begin },
    ],
  },
  {
    title: 'Go to',
    keys: places.flatMap(({ title, path }) =>
      letterOf[path] ? [{ keys: ['g', letterOf[path]], text: title, run: () => go(path) }] : [],
    ),
  },
]

/** Milliseconds within which the second of two keys must follow the first. */
const sequenceLimit = 1_500

/** Where single keys belong to what has the focus: fields, menus, trees and lists of choices. */
const ownKeys = [
  'input:not([type=checkbox], [type=radio], [type=button], [type=submit])',
  'textarea, select, [contenteditable]',
  '[role=textbox], [role=combobox], [role=listbox], [role=menu], [role=tree]',
].join(', ')

/**
 * The handler of key presses. `groups` answers the keys, `isOn` whether those without a modifier are on, and
 * `hasDialog` whether a dialog is open.
 */
export const createKeyHandler = ({
  groups,
  isOn,
  hasDialog,
}: {
  groups: () => readonly KeyGroup[]
  isOn: () => boolean
  hasDialog: () => boolean
}) => {
  let first: { key: string; at: number } | null = null
  return (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const rows = groups().flatMap(({ keys }) => keys)
    const find = (...pressed: string[]) =>
      rows.find(({ keys }) => keys.length === pressed.length && keys.every((key, at) => key === pressed[at]))
    const before = first && event.timeStamp - first.at <= sequenceLimit ? first.key : null
    first = null
    if (event.altKey) return
    if (event.ctrlKey || event.metaKey) {
      if (event.shiftKey || event.key.toLowerCase() !== 'k' || !mayFind()) return
      event.preventDefault()
      find(findKey)?.run()
      return
    }
    if (!isOn() || hasDialog() || event.repeat) return
    if (event.target instanceof Element && event.target.closest(ownKeys)) return
    const row = (before !== null && find(before, event.key)) || find(event.key)
    if (row && event.key !== 'Enter') {
      event.preventDefault()
      row.run()
    } else if (rows.some(({ keys }) => keys.length > 1 && keys[0] === event.key))
      first = { key: event.key, at: event.timeStamp }
  }
}

/** A question, the terms and an error are answered before anything else is found. */
const mayFind = () => !document.querySelector('[role=alertdialog], [class*=shell-over-] [role=dialog]')
