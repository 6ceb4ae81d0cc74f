import { fireEvent, render, screen, within } from '@testing-library/react'
import fc from 'fast-check'
import { MemoryRouter } from 'react-router-dom'
import { describe, expect, test } from 'vitest'
import { pageAfterResize, pageCount, Pager, pageWindow, shownRows } from '../../../src/parts/table/Pager.tsx'
import { PageSteps } from '../../../src/parts/table/PageSteps.tsx'

describe('at most 5 page links, the current one in the middle where it can be', () => {
  test.each([
    [1, 1, [1]],
    [1, 2, [1, 2]],
    [1, 4, [1, 2, 3, 4]],
    [4, 4, [1, 2, 3, 4]],
    [1, 5, [1, 2, 3, 4, 5]],
    [5, 5, [1, 2, 3, 4, 5]],
    [1, 6, [1, 2, 3, 4, 5]],
    [3, 6, [1, 2, 3, 4, 5]],
    [4, 6, [2, 3, 4, 5, 6]],
    [6, 6, [2, 3, 4, 5, 6]],
    [1, 9, [1, 2, 3, 4, 5]],
    [3, 9, [1, 2, 3, 4, 5]],
    [4, 9, [2, 3, 4, 5, 6]],
    [5, 9, [3, 4, 5, 6, 7]],
    [7, 9, [5, 6, 7, 8, 9]],
    [8, 9, [5, 6, 7, 8, 9]],
    [9, 9, [5, 6, 7, 8, 9]],
    [150, 300, [148, 149, 150, 151, 152]],
    [12, 9, [5, 6, 7, 8, 9]],
  ])('page %i of %i shows %j', (page, pages, window) => expect(pageWindow(page, pages, 5)).toEqual(window))

  test('for any page of any list', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), (a, b) => {
        const [page, pages] = [Math.min(a, b), Math.max(a, b)]
        const window = pageWindow(page, pages, 5)
        expect(window).toHaveLength(Math.min(5, pages))
        expect(window).toContain(page)
        expect(
          window.every(
            (link, index) => link >= 1 && link <= pages && (index === 0 || link === window[index - 1]! + 1),
          ),
        ).toBe(true)
        if (page > 2 && page <= pages - 2) expect(window[2]).toBe(page)
      }),
    ))
})

test.each([
  [0, 10, 1],
  [1, 10, 1],
  [10, 10, 1],
  [11, 10, 2],
  [25, 25, 1],
  [26, 25, 2],
  [50, 50, 1],
  [51, 50, 2],
  [100, 100, 1],
  [101, 100, 2],
  [3000, 100, 30],
  [3001, 100, 31],
])('%i rows in pages of %i are %i pages', (total, size, pages) => expect(pageCount(total, size)).toBe(pages))

test('another page size keeps the first row visible', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.constantFrom(10, 25, 50, 100),
      fc.constantFrom(10, 25, 50, 100),
      (page, size, newSize) => {
        const first = (page - 1) * size + 1
        const [from, to] = shownRows(pageAfterResize(page, size, newSize), newSize, Number.MAX_SAFE_INTEGER)
        expect(first).toBeGreaterThanOrEqual(from)
        expect(first).toBeLessThanOrEqual(to)
      },
    ),
  ))

const draw = (page: number, size: number, total: number, shown = { page, size }) =>
  render(
    <MemoryRouter initialEntries={['/list']}>
      <Pager {...{ page, size, total, shown }} links={5} href={(to) => ({ search: `?page=${to}` })} />
    </MemoryRouter>,
  )
const links = () =>
  screen.getAllByRole('link').map((link) => `${link.getAttribute('aria-label')} ${link.getAttribute('href')}`)

describe('the pager', () => {
  test('has numbered and boundary links that are real links', () => {
    draw(2, 10, 3000)
    expect(links()).toEqual([
      'First page /list?page=1',
      'Previous page /list?page=1',
      'Page 1 /list?page=1',
      'Page 2 /list?page=2',
      'Page 3 /list?page=3',
      'Page 4 /list?page=4',
      'Page 5 /list?page=5',
      'Next page /list?page=3',
      'Last page /list?page=300',
    ])
    expect(screen.getByRole('link', { current: 'page' })).toHaveAccessibleName('Page 2')
    expect(screen.getByRole('status')).toHaveTextContent('Showing 11 to 20 of 3,000')
  })

  test('says which rows are shown, and leads on from the page that is asked for', () => {
    draw(3, 10, 3000, { page: 1, size: 25 })
    expect(screen.getByRole('status')).toHaveTextContent('Showing 1 to 25 of 3,000')
    expect(screen.getByRole('link', { current: 'page' })).toHaveAccessibleName('Page 3')
    expect(screen.getByRole('link', { name: 'Next page' })).toHaveAttribute('href', '/list?page=4')
  })

  test.each([1, 2, 3])('on page %i of 3 points back before its names and forth behind them', (page) => {
    draw(page, 10, 25)
    const steps = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(steps).toEqual(['«First', '‹Previous', '1', '2', '3', 'Next›', 'Last»'])
  })

  test.each([
    ['first', 1, ['First', 'Previous'], ['Next page', 'Last page']],
    ['last', 3, ['Next', 'Last'], ['First page', 'Previous page']],
  ])('leads nowhere beyond the %s page', (_, page, off, on) => {
    draw(page, 10, 25)
    const nav = within(screen.getByRole('navigation', { name: 'Pages' }))
    for (const name of off) expect(nav.getByText(name).closest('[aria-disabled]')).not.toBeNull()
    for (const name of on) expect(nav.getByRole('link', { name })).toBeVisible()
  })

  test('the last page shows how many rows there really are', () => {
    draw(3, 10, 25)
    expect(screen.getByRole('status')).toHaveTextContent('Showing 21 to 25 of 25')
  })

  test('leads to the only page of a single row', () => {
    draw(1, 10, 1)
    expect(screen.getByRole('status')).toHaveTextContent('Showing 1 to 1 of 1')
    expect(screen.getByRole('navigation', { name: 'Pages' })).toBeVisible()
  })

  test('is silent about an empty list', () => {
    draw(1, 10, 0)
    expect(screen.getByRole('status')).toBeEmptyDOMElement()
    expect(screen.queryByRole('navigation')).toBeNull()
  })
})

describe('the pages of a part of a screen', () => {
  /** What is shown of them, and which steps can be taken. */
  const draw = (page: number, size: number, total: number, isBusy = false) => {
    const asked: number[] = []
    const onPage = (to: number) => void asked.push(to)
    render(<PageSteps page={page} size={size} total={total} isBusy={isBusy} onPage={onPage} />)
    const open = screen.queryAllByRole('button').filter((button) => !(button as HTMLButtonElement).disabled)
    for (const button of open) fireEvent.click(button)
    return { asked, names: screen.queryAllByRole('button').map(({ textContent }) => textContent) }
  }

  test.each([
    [1, 10, 9, '1 to 9 of 9', []],
    [1, 10, 10, '1 to 10 of 10', []],
    [1, 10, 11, '1 to 10 of 11', [2]],
    [2, 10, 11, '11 to 11 of 11', [1]],
    [2, 10, 19, '11 to 19 of 19', [1]],
    [2, 10, 20, '11 to 20 of 20', [1]],
    [2, 10, 21, '11 to 20 of 21', [1, 3]],
    [3, 10, 21, '21 to 21 of 21', [2]],
    [2, 10, 3000, '11 to 20 of 3,000', [1, 3]],
  ])('page %i of %i rows each, %i in all, says %s and leads to %j', (page, size, total, text, steps) => {
    const { asked, names } = draw(page, size, total)
    expect(screen.getByText(text)).toBeVisible()
    expect(names).toEqual(total > size ? ['Previous', 'Next'] : [])
    expect(asked).toEqual(steps)
  })

  test('lead nowhere while one is on its way, and say so', () => {
    expect(draw(2, 10, 30, true).asked).toEqual([])
    for (const step of screen.getAllByRole('button')) expect(step).toHaveAttribute('aria-disabled', 'true')
  })
})
