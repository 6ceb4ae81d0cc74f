import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { storeRecordDraft, readRecordDraft } from '../../../src/features/entity/record/drafts.ts'
import { newUser } from '../newUser.ts'
import { expectClean, manager, opened, openMerchants, rowNames } from './entityScreen.tsx'
import { answer, dialog, field, noDialog, noQuestion, press, question, typeInto } from './recordDialog.tsx'

describe('unsaved changes', () => {
  type Page = ReturnType<typeof opened>
  const ways: [string, (page: Page) => Promise<unknown>, (page: Page) => void][] = [
    ['Cancel', () => press('Cancel'), ({ search }) => expect(search()).toBe('')],
    ['the closing cross', () => press('Close'), ({ search }) => expect(search()).toBe('')],
    ['Escape', () => newUser().keyboard('{Escape}'), ({ search }) => expect(search()).toBe('')],
    ['Back', ({ router }) => act(() => router.navigate(-1)), ({ search }) => expect(search()).toBe('')],
    [
      'a link of the portal',
      ({ router }) => act(() => router.navigate('/reporting')),
      ({ router }) => expect(router.state.location.pathname).toBe('/reporting'),
    ],
  ]

  test.each(ways)('%s asks, and Keep editing keeps them', async (_, leave) => {
    const page = opened()
    await typeInto('Status', 'Live')
    await leave(page)
    const asked = await question('Discard your changes?')
    await expectClean(asked)
    await newUser().click(within(asked).getByRole('button', { name: 'Keep editing' }))
    await waitFor(noQuestion)
    expect(await field('Status')).toHaveValue('Live')
    expect(page.search()).toBe('?open=3')
  })

  test.each(ways)('%s asks, and Discard leaves', async (_, leave, left) => {
    const page = opened()
    await typeInto('Status', 'Live')
    await leave(page)
    await answer('Discard your changes?', 'Discard')
    await waitFor(noDialog)
    await waitFor(() => left(page))
    noQuestion()
    expect(page.edge.saves).toEqual([])
  })

  test.each(ways)('%s asks nothing when nothing was changed', async (_, leave, left) => {
    const page = opened()
    await typeInto('Status', 'L')
    await newUser().keyboard('{Backspace}')
    await leave(page)
    await waitFor(noDialog)
    noQuestion()
    await waitFor(() => left(page))
  })

  test('closing the tab asks only while there are some', async () => {
    const closes = () => {
      const event = new Event('beforeunload', { cancelable: true })
      window.dispatchEvent(event)
      return !event.defaultPrevented
    }
    opened()
    await field('Status')
    expect(closes()).toBe(true)
    await typeInto('Status', 'Live')
    expect(closes()).toBe(false)
    await press('Save')
    await waitFor(noDialog)
    expect(closes()).toBe(true)
  })

  test('the end of the session asks nothing', async () => {
    const { router } = opened()
    await typeInto('Status', 'Live')
    await act(() => router.navigate('/login'))
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    noQuestion()
  })
})

describe('what was typed when the session ended', () => {
  const endSession = async (username = 'ann') => {
    const page = openMerchants({ ...manager, username }, { at: '/manage/merchants?open=3' })
    await typeInto('Status', 'Live')
    await act(() => page.router.navigate('/login'))
    return page
  }
  const back = (page: Page, open = '3') => act(() => page.router.navigate(`/manage/merchants?open=${open}`))
  type Page = ReturnType<typeof openMerchants>

  test('is offered after the next sign-in, and Restore brings it back as unsaved changes', async () => {
    const page = await endSession()
    await back(page)
    expect(await screen.findByText('Restore what you typed?')).toBeVisible()
    expect(await field('Status')).toHaveValue('')
    await expectClean(await dialog())
    await press('Restore')
    expect(await field('Status')).toHaveValue('Live')
    expect(screen.queryByText('Restore what you typed?')).toBeNull()
    await press('Cancel')
    await answer('Discard your changes?', 'Keep editing')
    await press('Save')
    await waitFor(noDialog)
    expect(page.edge.saves[0]?.draft).toEqual({ version: 1, status: 'Live' })
    expect(sessionStorage).toHaveLength(0)
  })

  test('is offered too after other changes of the screen were discarded', async () => {
    const page = openMerchants({ ...manager, username: 'ann' }, { at: '/manage/merchants?open=3' })
    await typeInto('Status', 'Gone')
    await act(() => page.router.navigate('/manage/merchants'))
    await answer('Discard your changes?', 'Discard')
    await waitFor(noDialog)
    await back(page)
    await typeInto('Status', 'Live')
    await act(() => page.router.navigate('/login'))
    await back(page)
    expect(await screen.findByText('Restore what you typed?')).toBeVisible()
  })

  test('is forgotten when it is not wanted', async () => {
    const page = await endSession()
    await back(page)
    await newUser().click(await screen.findByRole('button', { name: 'Forget it' }))
    expect(await field('Status')).toHaveValue('')
    expect(sessionStorage).toHaveLength(0)
  })

  test('is not offered any more once the record was saved instead', async () => {
    const page = await endSession()
    await back(page)
    await screen.findByText('Restore what you typed?')
    await typeInto('Status', 'Old')
    await press('Save')
    await waitFor(noDialog)
    expect(page.edge.saves[0]?.draft).toEqual({ version: 1, status: 'Old' })
    expect(sessionStorage).toHaveLength(0)
  })

  test('is not offered for another record, nor for a new one', async () => {
    const page = await endSession()
    await back(page, '4')
    await field('Status')
    expect(screen.queryByText('Restore what you typed?')).toBeNull()
    await back(page, 'new')
    await field('Status')
    expect(screen.queryByText('Restore what you typed?')).toBeNull()
  })

  test('is lost where the browser forbids storage, and the list and its dialog work', async () => {
    const forbidden = vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    onTestFinished(() => forbidden.mockRestore())
    const page = await endSession()
    await back(page)
    expect(await field('Status')).toHaveValue('')
    await waitFor(() => expect(rowNames()).toHaveLength(10))
  })

  test('is not stored as a draft when it was saved or discarded', async () => {
    const page = openMerchants(manager, { at: '/manage/merchants?open=3' })
    await typeInto('Status', 'Live')
    await act(() => page.router.navigate('/reporting'))
    await answer('Discard your changes?', 'Discard')
    await screen.findByRole('heading', { name: 'Reports' })
    expect(sessionStorage).toHaveLength(0)
    await back(page)
    await typeInto('Status', 'Live')
    await press('Save')
    await waitFor(noDialog)
    expect(sessionStorage).toHaveLength(0)
  })

  test('never holds passwords or the numbers of banks and tax offices', () => {
    const fields = ['name', 'routingnumber', 'bankaccountnumber', 'taxid', 'password', 'pin', 'unknown']
    const properties = Object.fromEntries(
      fields.slice(0, -1).map((name) => [name, { kind: 'text' as const, type: 'string' }]),
    )
    const entity = {
      ...merchant,
      schema: { ...merchant.schema, properties: { ...properties, pin: { type: 'string', secret: true } } },
    }
    storeRecordDraft(
      { username: 'ann', entity, row: null },
      Object.fromEntries(fields.map((name) => [name, '123'])),
    )
    expect(readRecordDraft({ username: 'ann', entity, row: null })).toEqual({ name: '123' })
    expect(readRecordDraft({ username: 'bob', entity, row: null })).toBeNull()
  })
})
