import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { BulkPreview } from '../../../schemas/api/bulk/bulk.ts'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { BulkPreviewed } from '../../../src/features/bulk/BulkPreviewed.tsx'

const preview: BulkPreview = {
  fingerprint: '0',
  changed: 2,
  unchanged: 0,
  refused: 0,
  changes: [],
  morechanges: 0,
  refusals: [],
  morerefused: 0,
}

test.each([
  [2, 0],
  [3, 1],
])('of %i refused records of which two are named, %i more are counted', (count, more) => {
  const examples = ['4001 - Bakery', '4002 - Cafe'].map((name, at) => ({ id: at + 1, name }))
  const refusals = [{ reason: 'It is closed', count, examples }]
  render(<BulkPreviewed entity={merchant} preview={{ ...preview, refusals }} removes={false} />)
  expect(screen.getByText(`${count}: It is closed`)).toBeVisible()
  expect(screen.queryAllByText(/^and .* more$/).map(({ textContent }) => textContent)).toEqual(
    more === 0 ? [] : [`and ${more} more`],
  )
})

test.each<[given: Partial<BulkPreview>, removes: boolean, text: string]>([
  [{ changed: 0 }, false, 'No merchant would be changed.'],
  [{ changed: 1204 }, false, '1,204 merchants would be changed.'],
  [
    { changed: 1, unchanged: 1200, refused: 2000 },
    true,
    '1 merchant would be deleted. 1,200 would stay as before. 2,000 would be refused.',
  ],
])('what would come of %j, as a deletion: %s, is said as: %s', (given, removes, text) => {
  render(<BulkPreviewed entity={merchant} preview={{ ...preview, ...given }} removes={removes} />)
  expect(screen.getByText(text)).toHaveFocus()
})

test('a single refused record is named with the reason, and those for other reasons are counted', () => {
  const examples = [{ id: 1, name: '4001 - Bakery' }]
  const refusals = [{ reason: 'It is closed', count: 1, examples }]
  render(
    <BulkPreviewed entity={merchant} preview={{ ...preview, refusals, morerefused: 1200 }} removes={false} />,
  )
  const items = within(screen.getByRole('region', { name: 'Refused' })).getAllByRole('listitem')
  expect(items.map(({ textContent }) => textContent)).toEqual([
    '4001 - Bakery: It is closed',
    '1,200 for other reasons',
  ])
})

test.each([
  [0, []],
  [1, ['Other changes|1']],
])('an empty value is said to be that, and %i other changes are counted', (morechanges, others) => {
  const changes = [{ field: 'status', title: 'Status', from: '', to: 'Live', count: 1200 }]
  render(<BulkPreviewed entity={merchant} preview={{ ...preview, changes, morechanges }} removes={false} />)
  const rows = within(screen.getByRole('region', { name: 'Changes' })).getAllByRole('row')
  expect(rows.map((row) => [...row.children].map((cell) => cell.textContent).join('|'))).toEqual([
    'Field|Before|After|Merchants',
    'Status|(empty)|Live|1,200',
    ...others,
  ])
})
