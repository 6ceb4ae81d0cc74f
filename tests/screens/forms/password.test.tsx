import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { PasswordForm } from '../../../src/app/shell/PasswordForm.tsx'
import { newUser } from '../newUser.ts'
import { inDialog } from './form.tsx'

const opened = async () => {
  const onSave = vi.fn()
  const onChange = vi.fn()
  render(
    inDialog(<PasswordForm busy={false} username="ann" formId="it" onSave={onSave} onChange={onChange} />),
  )
  const password = await screen.findByLabelText('Password')
  const user = newUser()
  return {
    user,
    onSave,
    onChange,
    password,
    confirm: screen.getByLabelText('Confirm Password'),
    save: () => user.click(screen.getByText('Save')),
  }
}

test('Password and Confirm Password are required', async () => {
  const { save, onSave, password, confirm } = await opened()
  expect(screen.queryByText('Password is required')).toBeNull()
  await save()
  expect(password).toHaveAccessibleDescription('Password is required')
  expect(confirm).toHaveAccessibleDescription('Confirm Password is required')
  expect(password).toHaveFocus()
  expect(onSave).not.toHaveBeenCalled()
})

test('Confirm Password must be equal to Password, with a message once it is edited', async () => {
  const { user, save, onSave, password, confirm } = await opened()
  await user.type(password, 'correct horse')
  expect(screen.queryByText('Passwords do not match')).toBeNull()
  await user.type(confirm, 'correct')
  expect(confirm).toHaveAccessibleDescription('Passwords do not match')
  await save()
  expect(onSave).not.toHaveBeenCalled()
  expect(confirm).toHaveFocus()
  await user.type(confirm, ' horse')
  expect(screen.queryByText('Passwords do not match')).toBeNull()
  await save()
  expect(onSave).toHaveBeenCalledExactlyOnceWith('correct horse')
})

test('a password changed after it was confirmed is noticed', async () => {
  const { user, password, confirm } = await opened()
  await user.type(password, 'a')
  await user.type(confirm, 'a')
  await user.type(password, 'b')
  expect(confirm).toHaveAccessibleDescription('Passwords do not match')
})

test('it reports whether anything was typed', async () => {
  const { user, onChange, password } = await opened()
  await user.type(password, 'a')
  await user.clear(password)
  expect(onChange.mock.calls).toEqual([[true], [false]])
})
