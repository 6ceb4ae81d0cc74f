import { screen, within } from '@testing-library/react'
import { expect } from 'vitest'
import { newUser } from '../newUser.ts'

export const dialog = () => screen.findByRole('dialog', { name: 'Create or Edit Merchant' })
export const noDialog = () => expect(screen.queryByRole('dialog')).toBeNull()
/** The form is loaded on demand, so its first field is waited for. */
export const field = async (name: string) =>
  within(await dialog()).findByRole('textbox', { name: new RegExp(`^${name}`) }, { timeout: 5_000 })

/** Presses the button of this name, wherever it is. */
export const press = (name: string) => newUser().click(screen.getByRole('button', { name }))
export const typeInto = async (name: string, text: string) => newUser().type(await field(name), text)
export const question = (text: string) => screen.findByRole('alertdialog', { name: text })
export const noQuestion = () => expect(screen.queryByRole('alertdialog')).toBeNull()
/** Gives this answer to the question that is asked. */
export const answer = async (text: string, name: string) =>
  newUser().click(within(await question(text)).getByRole('button', { name }))
