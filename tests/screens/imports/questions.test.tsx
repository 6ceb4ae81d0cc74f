import { act, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { ImportQuestion } from '../../../schemas/imports/answers.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import { newUser } from '../newUser.ts'
import { button, draw, expectClean, press } from './importScreen.tsx'

const gap = { key: 'gap', text: 'June 2026 is missing' }
const takenAway = { key: 'taken-away', text: '3 rows go' }

/** A file that was sent, and about which these questions were asked. */
const asked = async (...questions: ImportQuestion[]) => {
  const it = draw(imports.compdata)
  await it.choose('Aurora_May2026.csv')
  await press('Submit')
  await act(async () => it.edge.uploads[0]?.refuse({ status: 409, asks: { questions } }))
  return it
}
const box = (name: string) => screen.getByRole('checkbox', { name })
const tick = (name: string) => newUser().click(box(name))

test('the day of a file is closed while it is sent and while something is asked about it', async () => {
  const { edge, choose } = draw(imports.dailyvolume)
  const controls = ['Date', 'Choose the date', 'Date, typed']
  const isOpen = () => controls.map((name) => !screen.getByLabelText<HTMLInputElement>(name).disabled)
  await choose('volume.csv')
  await newUser().type(screen.getByLabelText('Date, typed'), '2026-03-08')
  expect(isOpen()).toEqual([true, true, true])
  await press('Submit')
  expect(isOpen()).toEqual([false, false, false])
  await act(async () => edge.uploads[0]?.refuse({ status: 409, asks: { questions: [gap] } }))
  expect(box(gap.text)).toBeVisible()
  expect(isOpen()).toEqual([false, false, false])
})

describe('what is to be confirmed before an import', () => {
  test('is sent with the file once every box is ticked, and the button counts them', async () => {
    const { edge, container } = await asked(gap, takenAway)
    expect(box(gap.text)).toHaveFocus()
    expect(button('Continue, 0 of 2 confirmed')).toBeDisabled()
    await tick(gap.text)
    expect(button('Continue, 1 of 2 confirmed')).toBeDisabled()
    await tick(takenAway.text)
    expect(button('Continue, 2 of 2 confirmed')).toBeEnabled()
    await tick(gap.text)
    expect(button('Continue, 1 of 2 confirmed')).toBeDisabled()
    await tick(gap.text)
    await expectClean(container)
    await press('Continue, 2 of 2 confirmed')
    expect(edge.uploads[1]?.input).toMatchObject({
      answers: { accepted: ['taken-away', 'gap'] },
      job: { purpose: 'import' },
    })
  })

  test('stays confirmed when something else is asked afterwards', async () => {
    const { edge } = await asked(gap)
    await tick(gap.text)
    await press('Continue, 1 of 1 confirmed')
    await act(async () => edge.uploads[1]?.refuse({ status: 409, asks: { questions: [takenAway] } }))
    await tick(takenAway.text)
    await press('Continue, 1 of 1 confirmed')
    expect(edge.uploads[2]?.input.answers).toEqual({ accepted: ['gap', 'taken-away'] })
  })

  test('is asked anew about another file', async () => {
    const { edge, choose } = await asked(gap)
    await tick(gap.text)
    await press('Continue, 1 of 1 confirmed')
    await act(async () => edge.uploads[1]?.refuse(new Error('away')))
    await choose('Aurora_June2026.csv')
    await press('Submit')
    expect(edge.uploads[2]?.input.answers).toEqual({})
  })
})
