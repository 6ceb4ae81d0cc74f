import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createActor } from 'xstate'
import { downloadMachine } from '../../../machines/download.machine.ts'
import type { DriveNode } from '../../../schemas/api/drive.ts'
import { DriveTree } from '../../../src/features/drive/DriveTree.tsx'
import { sortTree, visibleRows } from '../../../src/features/drive/tree.ts'

const file = (name: string): DriveNode => ({
  id: name.replaceAll(' ', '_'),
  name,
  mimeType: 'text/plain',
  size: 1,
  modified: 1,
  children: [],
})
const rows = visibleRows(sortTree([file('May a'), file('May b'), file('March')]), new Set(), '')

const drawTree = () => {
  const actorOf = (id: string) => createActor(downloadMachine, { input: { id } }).start()
  render(<DriveTree rows={rows} onToggle={() => {}} actorOf={actorOf} />)
  return screen.getByRole('tree')
}
const type = (tree: HTMLElement, text: string) => {
  for (const key of text) fireEvent.keyDown(tree, { key })
}

test('a name with a blank is found by typing it', () => {
  const tree = drawTree()
  type(tree, 'may b')
  expect(tree.getAttribute('aria-activedescendant')).toMatch(/-May_b$/)
})

test('the first letters alone lead to the first name that begins with them', () => {
  const tree = drawTree()
  type(tree, 'may')
  expect(tree.getAttribute('aria-activedescendant')).toMatch(/-May_a$/)
})
