import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { StepForm } from '../../../src/parts/StepForm.tsx'
import { newUser } from '../newUser.ts'

const draw = () => {
  const sent: string[] = []
  render(
    <StepForm
      label="Code"
      parse={(text) => text.trim()}
      faultOf={(value) => (value === '' ? 'Code is required' : value === '12' ? null : 'Code is wrong')}
      submitText="Submit"
      input={{ name: 'code' }}
      error={null}
      isBusy={false}
      onSubmit={(value) => void sent.push(value)}
    />,
  )
  return { sent, user: newUser(), said: () => screen.getByRole('alert').textContent }
}

test.each<[string, string, string]>([
  ['an empty field is left', '{Tab}', ''],
  ['an empty field is entered', '{Enter}', 'Code is required'],
  ['a wrong value is typed', '1', ''],
  ['a wrong value is left', '1{Tab}', 'Code is wrong'],
  ['a wrong value is entered', '1{Enter}', 'Code is wrong'],
  [
    'a field is left, entered again and emptied',
    '1{Tab}{Shift>}{Tab}{/Shift}{Backspace}',
    'Code is required',
  ],
  ['a right value is left', '12{Tab}', ''],
])('when %s, the field says %j', async (_, keys, message) => {
  const { user, said, sent } = draw()
  await user.keyboard(keys)
  expect(said()).toBe(message)
  expect(sent).toEqual([])
})

test('a right value is sent by Enter, as it was parsed', async () => {
  const { user, sent } = draw()
  await user.keyboard(' 12 {Enter}')
  expect(sent).toEqual(['12'])
})

test('the field has the focus again when the server refuses its value, and says why', () => {
  const form = (error: string | null, isBusy = false) => (
    <>
      <StepForm
        label="Code"
        parse={(text) => text}
        faultOf={() => null}
        submitText="Submit"
        input={{ name: 'code' }}
        error={error}
        isBusy={isBusy}
        onSubmit={() => {}}
      />
      <button>Elsewhere</button>
    </>
  )
  const { rerender } = render(form(null))
  screen.getByRole('button', { name: 'Elsewhere' }).focus()
  rerender(form('The code has expired'))
  const field = screen.getByLabelText('Code')
  expect(field).toHaveFocus()
  expect(field).toHaveAccessibleDescription('The code has expired')
  // It says nothing of the value that is sent next.
  rerender(form('The code has expired', true))
  expect(field).toHaveAccessibleDescription('')
})
