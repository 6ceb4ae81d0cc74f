import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test } from 'vitest'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { permissions, ruleWithReason, type Permission } from '../../../schemas/permissions.ts'
import { newUser } from '../newUser.ts'
import {
  type Edge,
  expectClean,
  manager,
  opened,
  openMerchants,
  rowNames,
  viewerWith,
} from './entityScreen.tsx'
import { answer, dialog, field, noDialog, noQuestion, press, question, typeInto } from './recordDialog.tsx'

describe('who may do what (permissions 3)', () => {
  const deciding = ['manage_merchants', 'edit_maid_salesrep', 'delete_merchants'] as const
  const combinations = Array.from({ length: 8 }, (_, bits) =>
    deciding.filter((_, index) => bits & (1 << index)),
  )
  const others = permissions.filter((name) => !(deciding as readonly Permission[]).includes(name))

  test.each(combinations.map((given) => [given.join(' + ') || 'none of the three', given] as const))(
    'with %s',
    async (_, given) => {
      const manage = given.includes('manage_merchants')
      const open = manage || given.includes('edit_maid_salesrep')
      const { container, search } = openMerchants(viewerWith(...given, ...others))
      await waitFor(() => expect(rowNames()).toHaveLength(10))
      expect(screen.queryAllByRole('button', { name: 'Create' })).toHaveLength(manage ? 1 : 0)
      expect(container.querySelectorAll('.table-opens')).toHaveLength(open ? 1 : 0)
      // Who may not open a merchant is led to what it brought month by month.
      expect(screen.getByRole('link', { name: '400000000003' })).toHaveAttribute(
        'href',
        open ? '/manage/merchants?open=3' : '/reporting?report=merchant-by-month&merchant=400000000003&run=1',
      )
      await newUser().click(screen.getByText('Shop 3'))
      expect(search()).toBe(open ? '?open=3' : '')
      if (!open) return noDialog()
      await field('XMID')
      expect(screen.queryAllByRole('button', { name: 'Delete' })).toHaveLength(
        given.includes('delete_merchants') ? 1 : 0,
      )
    },
  )

  test('an administrator finds the history of a record', async () => {
    const entity = { ...merchant, noun: 'shop' }
    const { router } = openMerchants({ ...manager, admin: true }, { entity, at: '/manage/merchants?open=3' })
    await field('XMID')
    await press('History')
    expect(router.state.location.pathname + router.state.location.search).toBe(
      '/audit?record=merchant&recordid=3',
    )
  })

  test.each(['3', 'new'])(
    'whoever is no administrator finds no history in the dialog of %s',
    async (open) => {
      opened(open)
      await field('XMID')
      expect(screen.queryByRole('button', { name: 'History' })).toBeNull()
    },
  )

  test('one that may be changed and not deleted says why beside Delete', async () => {
    const remove = ruleWithReason((_, row) => !row, 'Its equipment is still with it')
    const entity = { ...merchant, access: { ...merchant.access, delete: remove } }
    openMerchants(manager, { entity, at: '/manage/merchants?open=3' })
    await field('XMID')
    const button = screen.getByRole('button', { name: 'Delete' })
    expect(button).toBeDisabled()
    expect(button).toHaveAccessibleDescription('Its equipment is still with it')
    expect(screen.getByText('Its equipment is still with it')).toBeVisible()
  })

  test('a new record cannot be deleted', async () => {
    opened('new')
    await field('XMID')
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
  })

  test.each([
    ['open=3', viewerWith()],
    ['open=new', viewerWith('edit_maid_salesrep')],
    ['open=abc', manager],
    ['open=-1', manager],
  ])('?%s opens nothing for those who may not, and the URL says so', async (open, viewer) => {
    const { search } = openMerchants(viewer, { at: `/manage/merchants?page=2&${open}` })
    await waitFor(() => expect(search()).toBe('?page=2'))
    noDialog()
  })

  test('a new record begins with what its list asks for, which is no change (lists 19)', async () => {
    const at = '/manage/merchants?search=400000000001&filter=masteragentid:7&open=new'
    openMerchants(manager, { at })
    expect(await field('XMID')).toHaveValue('400000000001')
    expect(screen.getByRole('textbox', { name: /^DBA( \*)?$/ })).toHaveValue('')
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: /Master Agent/ })).toHaveValue('MA0012 - North'),
    )
    await press('Cancel')
    await waitFor(noDialog)
  })

  test.each([
    ['the name that a link gives to the number', '400000000001 Stranger & Sons', 'Stranger & Sons'],
    ['no name of another number', '400000000002 Stranger', ''],
    ['no name of a number that begins with it', '4000000000012 Stranger', ''],
  ])('a new merchant takes over %s', async (_, named, dba) => {
    const at = `/manage/merchants?search=400000000001&named=${encodeURIComponent(named)}&open=new`
    openMerchants(manager, { at })
    expect(await field('XMID')).toHaveValue('400000000001')
    expect(screen.getByRole('textbox', { name: /^DBA( \*)?$/ })).toHaveValue(dba)
    await press('Cancel')
    await waitFor(noDialog)
  })

  test('a record that is not there opens nothing', async () => {
    const { search } = opened('4711')
    await waitFor(() => expect(search()).toBe(''))
    noDialog()
  })
})

describe('the dialog', () => {
  test('opens from the link of a row, closes by Cancel, and gives the focus back to the row', async () => {
    const { search } = openMerchants(manager, { at: '/manage/merchants?page=2' })
    await newUser().click(await screen.findByRole('link', { name: '400000000012' }))
    expect(await field('XMID')).toHaveValue('400000000012')
    expect(search()).toBe('?page=2&open=12')
    await expectClean(await dialog())
    await press('Cancel')
    noDialog()
    await waitFor(() => expect(search()).toBe('?page=2'))
    await waitFor(() => expect(screen.getByRole('link', { name: '400000000012' })).toHaveFocus())
  })

  test('of a new record gives the focus back to Create', async () => {
    openMerchants(manager)
    const create = await screen.findByRole('button', { name: 'Create' })
    await newUser().click(create)
    await field('XMID')
    await press('Cancel')
    noDialog()
    await waitFor(() => expect(create).toHaveFocus())
  })

  test('a click beside it does not close it', async () => {
    opened()
    await field('XMID')
    fireEvent.mouseDown(document.querySelector('.bp6-overlay-backdrop')!)
    expect(await dialog()).toBeVisible()
  })

  test('goes with Back and comes with Forward', async () => {
    const { router } = opened()
    await field('XMID')
    await act(() => router.navigate(-1))
    noDialog()
    await act(() => router.navigate(1))
    expect(await field('XMID')).toHaveValue('400000000003')
  })

  test('on success the list reloads and the dialog closes, without a question', async () => {
    const { edge, search } = opened()
    await waitFor(() => expect(edge.loads).toHaveLength(1))
    await typeInto('Status', 'Live')
    await press('Save')
    await waitFor(noDialog)
    noQuestion()
    expect(edge.saves).toEqual([
      {
        row: expect.objectContaining({ id: 3 }),
        draft: expect.objectContaining({ status: 'Live' }),
        overwrite: false,
      },
    ])
    await waitFor(() => expect(edge.loads).toHaveLength(2))
    await waitFor(() => expect(search()).toBe(''))
  })

  test('Create opens an empty one, and an invalid form is not sent', async () => {
    const { edge } = openMerchants(manager)
    await waitFor(() => expect(rowNames()).toHaveLength(10))
    await press('Create')
    expect(await field('XMID')).toHaveValue('')
    await press('Save')
    expect(await screen.findByText('XMID is required')).toBeVisible()
    expect(edge.saves).toEqual([])
  })

  test('on failure it stays open with what was typed, and shows the sentence of the server at its field', async () => {
    const { edge } = opened()
    edge.refuse.save = { status: 409, fields: { status: 'This status is taken' } }
    await typeInto('Status', 'Live')
    await press('Save')
    expect(await screen.findByText('This status is taken')).toBeVisible()
    expect(await field('Status')).toHaveValue('Live')
    expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled()
  })

  test.each([
    ['{Control>}s{/Control}', 1],
    ['{Meta>}s{/Meta}', 1],
    ['{Control>}{Shift>}S{/Shift}{/Control}', 0],
    ['{Control>}{Alt>}s{/Alt}{/Control}', 0],
    ['s', 0],
  ])('by the keys %s is saved %i times', async (keys, count) => {
    const { edge } = opened()
    await typeInto('Status', 'Live')
    await newUser().keyboard(keys)
    if (count > 0) await waitFor(noDialog)
    expect(edge.saves).toHaveLength(count)
  })

  test('cannot be saved before its record is there', async () => {
    openMerchants(manager, {
      at: '/manage/merchants?open=3',
      edge: { hold: { read: new Promise(() => {}) } },
    })
    expect(within(await dialog()).getByRole('button', { name: 'Save' })).toBeDisabled()
    expect(within(await dialog()).getByRole('button', { name: 'Cancel' })).toBeEnabled()
  })

  test('is not left for the history while it is saved', async () => {
    const { edge } = openMerchants({ ...manager, admin: true }, { at: '/manage/merchants?open=3' })
    edge.hold.save = new Promise(() => {})
    await typeInto('Status', 'Live')
    expect(screen.getByRole('button', { name: 'History' })).toBeEnabled()
    await press('Save')
    expect(screen.getByRole('button', { name: 'History' })).toBeDisabled()
  })

  test('of a record of another page gives the focus to the screen', async () => {
    const main = Object.assign(document.createElement('main'), { id: 'main', tabIndex: -1 })
    document.body.append(main)
    onTestFinished(() => main.remove())
    openMerchants(manager, { at: '/manage/merchants?page=2&open=3' })
    await field('XMID')
    await press('Cancel')
    await waitFor(() => expect(main).toHaveFocus())
  })

  test('is busy while saving: it cannot be sent twice, nor closed', async () => {
    let release = () => {}
    const { edge } = opened()
    edge.hold.save = new Promise((resolve) => (release = resolve))
    await typeInto('Status', 'Live')
    // As with Caps Lock.
    await newUser().keyboard('{Control>}S{/Control}')
    await waitFor(() => expect(edge.saves).toHaveLength(1))
    expect(screen.getByRole('button', { name: /Save/ })).toHaveAttribute('aria-disabled', 'true')
    await newUser().keyboard('{Control>}s{/Control}{Meta>}s{/Meta}{Escape}')
    expect(edge.saves).toHaveLength(1)
    noQuestion()
    await act(async () => release())
    await waitFor(noDialog)
    expect(edge.saves).toHaveLength(1)
  })

  test('deletes after a question, and Cancel keeps the record', async () => {
    const { edge } = opened()
    await field('XMID')
    await press('Delete')
    const asked = within(await question('Are you sure you want to delete this merchant?'))
    await newUser().click(asked.getByRole('button', { name: 'Cancel' }))
    await waitFor(noQuestion)
    expect(edge.removes).toEqual([])
    await press('Delete')
    await expectClean(await question('Are you sure you want to delete this merchant?'))
    await answer('Are you sure you want to delete this merchant?', 'Delete')
    await waitFor(noDialog)
    expect(edge.removes).toEqual([3])
    await waitFor(() => expect(rowNames()).not.toContain('Shop 3'))
  })

  test('can be deleted once: while that is on its way its button does nothing', async () => {
    const { edge } = opened()
    edge.hold.remove = new Promise(() => {})
    await field('XMID')
    await press('Delete')
    const asked = within(await question('Are you sure you want to delete this merchant?'))
    await newUser().click(asked.getByRole('button', { name: 'Delete' }))
    await newUser().click(asked.getByRole('button', { name: 'Delete' }))
    expect(edge.removes).toEqual([3])
  })

  test('deleting the only row of the last page leads to the page before', async () => {
    const { search } = openMerchants(manager, { at: '/manage/merchants?page=4&open=31', shops: 31 })
    await field('XMID')
    await press('Delete')
    await answer('Are you sure you want to delete this merchant?', 'Delete')
    await waitFor(() => expect(search()).toBe('?page=3'))
    await waitFor(() => expect(rowNames()).toHaveLength(10))
  })
})

describe('the list is read again where a record turns out to be gone,', () => {
  const without3 = (edge: Edge) => (edge.rows = edge.rows.filter(({ id }) => id !== 3))

  test('when it is opened', async () => {
    const { edge, search } = openMerchants(manager)
    await waitFor(() => expect(rowNames()).toContain('Shop 3'))
    without3(edge)
    await newUser().click(screen.getByText('Shop 3'))
    await waitFor(() => expect(rowNames()).not.toContain('Shop 3'))
    noDialog()
    expect(search()).toBe('')
  })

  test('when it is saved, and what was typed stays', async () => {
    const { edge } = opened()
    await typeInto('Status', 'Live')
    without3(edge)
    edge.refuse.save = { status: 404 }
    await press('Save')
    await waitFor(() => expect(edge.loads).toHaveLength(2))
    expect(await field('Status')).toHaveValue('Live')
  })

  test('when it is deleted', async () => {
    const { edge } = opened()
    await field('XMID')
    without3(edge)
    edge.refuse.remove = { status: 404 }
    await press('Delete')
    await answer('Are you sure you want to delete this merchant?', 'Delete')
    await waitFor(noDialog)
    await waitFor(() => expect(rowNames()).not.toContain('Shop 3'))
  })

  test('and not where it could not be read', async () => {
    const { edge } = openMerchants(manager, { edge: { refuse: { read: { status: 500 } } } })
    await waitFor(() => expect(rowNames()).toContain('Shop 3'))
    await newUser().click(screen.getByText('Shop 3'))
    await waitFor(noDialog)
    expect(edge.loads).toHaveLength(1)
  })
})

describe('a record that somebody else changed meanwhile', () => {
  const meet = async (refuse: Edge['refuse'] = {}) => {
    const page = opened()
    await typeInto('Status', 'Mine')
    Object.assign(page.edge.refuse, { save: { status: 409, code: 'stale' }, ...refuse })
    page.edge.rows = page.edge.rows.map((row) =>
      row.id === 3 ? { ...row, version: 2, status: 'Theirs', dbacity: 'Salem' } : row,
    )
    await press('Save')
    return { ...page, asked: within(await question('Somebody else changed this record meanwhile')) }
  }

  test('is compared in the question: what a list can show and differs', async () => {
    const { asked, edge } = await meet()
    const changes = await asked.findByRole('list', { name: 'Changes by others' })
    expect(
      within(changes)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Status: empty before, “Theirs” now', 'DBA City: empty before, “Salem” now'])
    expect(edge.saves).toHaveLength(1)
  })

  test('is asked about also where it cannot be read', async () => {
    const { asked } = await meet({ read: { status: 404 } })
    await newUser().click(asked.getByRole('button', { name: 'Keep editing' }))
    await waitFor(noQuestion)
    expect(await field('Status')).toHaveValue('Mine')
  })

  test('Reload shows what the others wrote', async () => {
    const { asked } = await meet()
    await newUser().click(asked.getByRole('button', { name: 'Reload' }))
    await waitFor(async () => expect(await field('Status')).toHaveValue('Theirs'))
    await press('Cancel')
    noDialog()
  })

  test('Overwrite sends what was typed once more', async () => {
    const { asked, edge } = await meet()
    edge.refuse = {}
    await newUser().click(asked.getByRole('button', { name: 'Overwrite' }))
    await waitFor(noDialog)
    expect(edge.saves.at(-1)).toMatchObject({ overwrite: true, draft: { status: 'Mine' } })
  })

  test('Keep editing keeps what was typed', async () => {
    const { asked } = await meet()
    await newUser().click(asked.getByRole('button', { name: 'Keep editing' }))
    await waitFor(noQuestion)
    expect(await field('Status')).toHaveValue('Mine')
  })
})
