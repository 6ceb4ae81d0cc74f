import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { storeRecordDraft, readRecordDraft } from '../../../src/features/entity/drafts.ts'
import { newUser } from '../newUser.ts'
import { expectClean, manager, opened, openMerchants, rowNames } from './entityScreen.tsx'
import { answer, dialog, field, noDialog, noQuestion, press, question, typeInto } from './recordDialog.tsx'

describe('unsaved changes', () => {
  type World = ReturnType<typeof opened>
  const ways: [string, (world: World) => Promise<unknown>, (world: World) => void][] = [
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
    const world = opened()
    await typeInto('Status', 'Live')
    await leave(world)
    const asked = await question('Discard your changes?')
    await expectClean(asked)
    await newUser().click(within(asked).getByRole('button', { name: 'Keep editing' }))
    await waitFor(noQuestion)
    expect(await field('Status')).toHaveValue('Live')
    expect(world.search()).toBe('?open=3')
  })

  test.each(ways)('%s asks, and Discard leaves', async (_, leave, left) => {
    const world = opened()
    await typeInto('Status', 'Live')
    await leave(world)
    await answer('Discard your changes?', 'Discard')
    await waitFor(noDialog)
    await waitFor(() => left(world))
    noQuestion()
    expect(world.edge.saves).toEqual([])
  })

  test.each(ways)('%s asks nothing when nothing was changed', async (_, leave, left) => {
    const world = opened()
    await typeInto('Status', 'L')
    await newUser().keyboard('{Backspace}')
    await leave(world)
    await waitFor(noDialog)
    noQuestion()
    await waitFor(() => left(world))
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
    const world = openMerchants({ ...manager, username }, { at: '/manage/merchants?open=3' })
    await typeInto('Status', 'Live')
    await act(() => world.router.navigate('/login'))
    return world
  }
  const back = (world: World, open = '3') =>
    act(() => world.router.navigate(`/manage/merchants?open=${open}`))
  type World = ReturnType<typeof openMerchants>

  test('is offered after the next sign-in, and Restore brings it back as unsaved changes', async () => {
    const world = await endSession()
    await back(world)
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
    expect(world.edge.saves[0]?.draft).toEqual({ version: 1, status: 'Live' })
    expect(sessionStorage).toHaveLength(0)
  })

  test('is offered too after other changes of the screen were discarded', async () => {
    const world = openMerchants({ ...manager, username: 'ann' }, { at: '/manage/merchants?open=3' })
    await typeInto('Status', 'Gone')
    await act(() => world.router.navigate('/manage/merchants'))
    await answer('Discard your changes?', 'Discard')
    await waitFor(noDialog)
    await back(world)
    await typeInto('Status', 'Live')
    await act(() => world.router.navigate('/login'))
    await back(world)
    expect(await screen.findByText('Restore what you typed?')).toBeVisible()
  })

  test('is forgotten when it is not wanted', async () => {
    const world = await endSession()
    await back(world)
    await newUser().click(await screen.findByRole('button', { name: 'Forget it' }))
    expect(await field('Status')).toHaveValue('')
    expect(sessionStorage).toHaveLength(0)
  })

  test('is not offered any more once the record was saved instead', async () => {
    const world = await endSession()
    await back(world)
    await screen.findByText('Restore what you typed?')
    await typeInto('Status', 'Old')
    await press('Save')
    await waitFor(noDialog)
    expect(world.edge.saves[0]?.draft).toEqual({ version: 1, status: 'Old' })
    expect(sessionStorage).toHaveLength(0)
  })

  test('is not offered for another record, nor for a new one', async () => {
    const world = await endSession()
    await back(world, '4')
    await field('Status')
    expect(screen.queryByText('Restore what you typed?')).toBeNull()
    await back(world, 'new')
    await field('Status')
    expect(screen.queryByText('Restore what you typed?')).toBeNull()
  })

  test('is lost where the browser forbids storage, and the list and its dialog work', async () => {
    const forbidden = vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    onTestFinished(() => forbidden.mockRestore())
    const world = await endSession()
    await back(world)
    expect(await field('Status')).toHaveValue('')
    await waitFor(() => expect(rowNames()).toHaveLength(10))
  })

  test('is not stored as a draft when it was saved or discarded', async () => {
    const world = openMerchants(manager, { at: '/manage/merchants?open=3' })
    await typeInto('Status', 'Live')
    await act(() => world.router.navigate('/reporting'))
    await answer('Discard your changes?', 'Discard')
    await screen.findByRole('heading', { name: 'Reports' })
    expect(sessionStorage).toHaveLength(0)
    await back(world)
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
