import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { BulkPreviewed } from '../../../src/features/bulk/BulkPreviewed.tsx'

const preview = {
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
