import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { downloadMachine, type Downloaded } from '../../../machines/download.machine.ts'
import { folderType, type DriveNode } from '../../../schemas/api/drive.ts'
import { DriveTree } from '../../../src/features/drive/DriveTree.tsx'
import { sortTree, visibleRows } from '../../../src/features/drive/tree.ts'
import type { DownloadActor } from '../../../src/parts/downloads.ts'

const file = (name: string): DriveNode => ({
  id: name.replaceAll(' ', '_'),
  name,
  mimeType: 'text/plain',
  size: 1,
  modified: 1,
  children: [],
})
const rows = visibleRows(sortTree([file('May a'), file('May b'), file('March')]), new Set(), '')

/** A download that is never answered. */
const endless = downloadMachine.provide({
  actors: { download: fromPromise<Downloaded, { id: string }>(() => new Promise(() => {})) },
})

const newActor = (id: string) => createActor(downloadMachine, { input: { id } }).start()
const drawTree = () => {
  render(<DriveTree rows={rows} onToggle={() => {}} actorOf={newActor} />)
  return screen.getByRole('tree')
}
const activeName = (tree: HTMLElement) =>
  document.getElementById(tree.getAttribute('aria-activedescendant')!)?.querySelector('.drive-text')
    ?.textContent
const type = (tree: HTMLElement, text: string) => {
  for (const key of text) fireEvent.keyDown(tree, { key })
}

test('a name with a blank is found by typing it', () => {
  const tree = drawTree()
  type(tree, 'may b')
  expect(tree.getAttribute('aria-activedescendant')).toMatch(/-May_b$/)
})

test.each([
  [499, 'March'],
  [500, 'May b'],
])('the third letter %i ms after the second leads from May b to %s', (pause, name) => {
  const tree = drawTree()
  vi.useFakeTimers({ toFake: ['Date'] })
  type(tree, 'may ')
  vi.setSystemTime(Date.now() + 1_000)
  type(tree, 'ma')
  vi.setSystemTime(Date.now() + pause)
  type(tree, 'r')
  vi.useRealTimers()
  expect(activeName(tree)).toBe(name)
})

test('a blank that begins no text activates the row: a folder opens', () => {
  const toggled: string[] = []
  const papers: DriveNode = { ...file('Papers'), mimeType: folderType }
  const shown = visibleRows([papers], new Set(), '')
  render(<DriveTree rows={shown} onToggle={(id) => toggled.push(id)} actorOf={newActor} />)
  type(screen.getByRole('tree'), ' ')
  expect(toggled).toEqual(['Papers'])
})

test('the active row is drawn also when it is scrolled away', () => {
  const many = Array.from({ length: 300 }, (_, at) => file(`${at}`))
  render(
    <DriveTree rows={visibleRows(sortTree(many), new Set(), '')} onToggle={() => {}} actorOf={newActor} />,
  )
  const tree = screen.getByRole('tree')
  fireEvent.keyDown(tree, { key: 'End' })
  expect(screen.getAllByRole('treeitem').length).toBeLessThan(100)
  expect(activeName(tree)).toBe('299')
})

test.each(['altKey', 'ctrlKey', 'metaKey'])(
  'a key that is pressed with %s is left to the browser',
  (held) => {
    const tree = drawTree()
    const active = tree.getAttribute('aria-activedescendant')
    // True unless the key was handled here.
    expect(fireEvent.keyDown(tree, { key: 'ArrowDown', [held]: true })).toBe(true)
    expect(tree.getAttribute('aria-activedescendant')).toBe(active)
    expect(fireEvent.keyDown(tree, { key: 'ArrowDown' })).toBe(false)
  },
)

test('a tree of which the rows stay is drawn again, and moved through, without going through all of them', () => {
  const many = visibleRows(sortTree(['a', 'b', 'c'].map(file)), new Set(), '')
  const gone = [vi.spyOn(many, 'map'), vi.spyOn(many, 'findIndex'), vi.spyOn(many, 'slice')]
  const tree = () => <DriveTree rows={many} onToggle={() => {}} actorOf={newActor} />
  const { rerender } = render(tree())
  const calls = () => gone.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  const before = calls()
  fireEvent.keyDown(screen.getByRole('tree'), { key: 'ArrowDown' })
  fireEvent.keyDown(screen.getByRole('tree'), { key: 'ArrowDown' })
  rerender(tree())
  expect(screen.getByRole('tree').getAttribute('aria-activedescendant')).toMatch(/-c$/)
  expect(calls()).toBe(before)
})

test('the first letters alone lead to the first name that begins with them', () => {
  const tree = drawTree()
  type(tree, 'may')
  expect(tree.getAttribute('aria-activedescendant')).toMatch(/-May_a$/)
})

test('a file has the percent of its download beside it once that is known, and no longer once it ended', () => {
  const actors = new Map<string, DownloadActor>()
  const actorOf = (id: string) => {
    const actor = actors.get(id) ?? createActor(endless, { input: { id } }).start()
    actors.set(id, actor)
    return actor
  }
  render(<DriveTree rows={rows} onToggle={() => {}} actorOf={actorOf} />)
  const percents = () => screen.queryAllByText(/ %$/).map(({ textContent }) => textContent)
  const send = (event: Parameters<DownloadActor['send']>[0]) => act(() => actorOf('March').send(event))
  expect(percents()).toEqual([])
  send({ type: 'download' })
  expect(percents()).toEqual([])
  send({ type: 'progress', percent: 0 })
  expect(percents()).toEqual(['0 %'])
  send({ type: 'progress', percent: 42 })
  expect(percents()).toEqual(['42 %'])
  expect(screen.getByRole('button', { name: 'Cancel the download of March' })).toBeVisible()
  send({ type: 'cancel' })
  expect(percents()).toEqual([])
})
