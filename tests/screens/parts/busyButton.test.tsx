import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { BusyButton } from '../../../src/parts/BusyButton.tsx'
import { newUser } from '../newUser.ts'

test('a button does its work once, says that it is busy, and keeps the focus meanwhile', async () => {
  let clicks = 0
  const button = (isBusy: boolean) => <BusyButton text="Save" isBusy={isBusy} onClick={() => clicks++} />
  const { rerender } = render(button(false))
  const drawn = screen.getByRole('button', { name: 'Save', busy: false })
  expect(drawn).toHaveAttribute('aria-disabled', 'false')
  await newUser().click(drawn)
  rerender(button(true))
  expect(screen.getByRole('button', { name: 'Save', busy: true })).toHaveFocus()
  expect(drawn).toHaveAttribute('aria-disabled', 'true')
  await newUser().click(drawn)
  expect(clicks).toBe(1)
})
