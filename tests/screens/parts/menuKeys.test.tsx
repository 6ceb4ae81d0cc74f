import { fireEvent, render, screen } from '@testing-library/react'
import { test, expect } from 'vitest'
import { handleMenuKey } from '../../../src/parts/menu/menuKeys.ts'

const items = ['Agents', 'Merchants', 'Audit', 'Drive']

test.each([
  ['ArrowDown', 'nothing', 'Agents'],
  ['ArrowDown', 'Agents', 'Merchants'],
  ['ArrowDown', 'Audit', 'Drive'],
  ['ArrowDown', 'Drive', 'Agents'],
  ['ArrowUp', 'nothing', 'Drive'],
  ['ArrowUp', 'Agents', 'Drive'],
  ['ArrowUp', 'Merchants', 'Agents'],
  ['ArrowUp', 'Drive', 'Audit'],
  ['Home', 'Audit', 'Agents'],
  ['End', 'Merchants', 'Drive'],
  ['a', 'nothing', 'Agents'],
  ['a', 'Agents', 'Audit'],
  ['A', 'Audit', 'Agents'],
  ['m', 'Merchants', 'Merchants'],
  ['x', 'Merchants', 'Merchants'],
  [' ', 'Merchants', 'Merchants'],
  ['Tab', 'Merchants', 'Merchants'],
])('in a menu the key %s moves the focus from %s to %s', (key, from, to) => {
  render(
    <div role="menu" tabIndex={-1} onKeyDown={handleMenuKey}>
      {items.map((name) => (
        <a key={name} role="menuitem" href="/">
          {name}
        </a>
      ))}
    </div>,
  )
  const start = from === 'nothing' ? screen.getByRole('menu') : screen.getByRole('menuitem', { name: from })
  start.focus()
  const isMoved = !fireEvent.keyDown(start, { key })
  expect(screen.getByRole('menuitem', { name: to })).toHaveFocus()
  // A key that finds nothing is left to the browser.
  expect(isMoved).toBe(!['x', ' ', 'Tab'].includes(key))
})
