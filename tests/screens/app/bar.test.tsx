import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import { fittingCount, leastWidth } from '../../../src/app/shell/bar/fitting.ts'
import { openTab, remember } from '../../journeys/open.ts'
import { replyFor, scripted } from '../../journeys/scripted.ts'

describe('the bar', () => {
  // 40 of padding and distance, 300 of name and right half, and items of 100 with a gap of 2.
  const widths = { items: [100, 100, 100], more: 60, others: 300 }
  test.each([
    [647, 3],
    [646, 3],
    [645, 2],
    [606, 2],
    [605, 1],
    [504, 1],
    [503, 0],
    [402, 0],
    [401, 0],
    [1, 0],
    [0, 3],
  ])('%i pixels wide holds %i of three items, beside More unless all fit', (width, count) => {
    expect(fittingCount(widths, width)).toBe(count)
  })

  it('of no items holds none and needs no room for More', () => {
    expect(fittingCount({ ...widths, items: [] }, 340)).toBe(0)
    expect([leastWidth({ ...widths, items: [] }), leastWidth(widths)]).toEqual([340, 402])
  })
})

describe('the menu More', () => {
  afterEach(() => vi.restoreAllMocks())

  /** Every item is 100 pixels wide, the name with the items as well as the right half. */
  const open = async (barWidth: number) => {
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(function (this: HTMLElement) {
      if (this.matches('.bp6-navbar')) return barWidth
      return this.matches('.shell-nav > *, .shell-left, .shell-nav') ? 100 : 0
    })
    remember(replyFor({ admin: true }))
    const tab = openTab({
      adapter: scripted({
        [endpoints.session.renew.route]: { body: replyFor({ admin: true }) },
        [endpoints.home.portal.route]: {
          body: {
            links: [],
            store: 'https://store.example/',
            training: null,
            widget: null,
            backup: null,
          },
        },
      }).adapter,
    })
    await screen.findByRole('button', { name: 'Welcome, ann' })
    return tab
  }
  const bar = () => [...screen.getByRole('navigation', { name: 'Main' }).children].map((it) => it.textContent)
  const all = ['Month', 'Manage', 'Imports', 'Reporting', 'Shared Drive', 'Store']

  it('is not there while all items fit', async () => {
    await open(2_000)
    await waitFor(() => expect(bar()).toEqual(all))
  })

  test.each([
    [652, 6],
    [651, 4],
    [550, 4],
    [549, 3],
    [346, 2],
    [142, 0],
  ])('takes the last items one by one: %i pixels hold %i beside it', async (width, count) => {
    await open(width)
    await waitFor(() => expect(bar()).toEqual(count === 6 ? all : [...all.slice(0, count), 'More']))
  })

  it('holds the items that are not in the bar, each as it stands there, and is used by keyboard', async () => {
    const tab = await open(346)
    await waitFor(() => expect(bar()).toEqual(['Month', 'Manage', 'More']))
    const more = screen.getByRole('button', { name: 'More' })
    more.focus()
    await tab.user.keyboard('{ArrowDown}')
    const items = await screen.findAllByRole('menuitem')
    expect(items.map((item) => item.textContent?.replace('opens in a new tab', ''))).toEqual([
      ...Object.values(imports).map(({ title }) => title),
      'Inbox',
      'Reporting',
      'Shared Drive',
      'Store',
    ])
    expect(screen.getByRole('menu', { name: 'More' })).toHaveTextContent(/^Imports/)
    await waitFor(() => expect(items[0]).toHaveFocus())
    await tab.user.keyboard('{End}')
    expect(items.at(-1)).toHaveFocus()
    await tab.user.keyboard('{Escape}')
    await waitFor(() => expect(more).toHaveFocus())
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('is marked while it holds the screen that is shown, and so is its item', async () => {
    const tab = await open(346)
    await waitFor(() => expect(bar()).toEqual(['Month', 'Manage', 'More']))
    const more = screen.getByRole('button', { name: 'More' })
    expect(more).not.toHaveClass('bp6-active')
    await tab.portal.router.navigate('/shared-drive')
    await waitFor(() => expect(more).toHaveClass('bp6-active'))
    await tab.user.click(more)
    const here = () =>
      screen.queryAllByRole('menuitem').filter((item) => item.getAttribute('aria-current') === 'page')
    await waitFor(() => expect(here().map((item) => item.textContent)).toEqual(['Shared Drive']))
  })
})
