import { render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Confirm } from '../../../src/parts/Confirm.tsx'
import { newUser } from '../newUser.ts'

test.each([[['Delete', 'Cancel']], [['Reload', 'Overwrite', 'Keep editing']], [['OK']]])(
  'a question with the answers %j has the focus on the last, and Escape chooses it',
  async (texts) => {
    const given: string[] = []
    render(
      <Confirm choices={texts.map((text) => ({ text, onClick: () => void given.push(text) }))}>
        Sure?
      </Confirm>,
    )
    const last = texts.at(-1)!
    expect(screen.getByRole('alertdialog', { name: 'Sure?' })).toBeVisible()
    await waitFor(() => expect(screen.getByRole('button', { name: last })).toHaveFocus())
    await newUser().keyboard('{Escape}')
    expect(given).toEqual([last])
  },
)
