import { expect, it, vi } from 'vitest'
import { bookOf } from '../month/book.ts'
import { screenFaults } from '../month/screenFaults.ts'
import { sixLayouts as layouts } from '../month/sixLayouts.ts'
import { monthWalks } from '../month/walkMonth.ts'

vi.setConfig({ testTimeout: 300_000 })

const book = bookOf(20_261_123, new Date())
const walkMonth = monthWalks(book)

it('brings a first month of six processors that nobody knows from nothing to the payout in 40 clicks', async () => {
  const complaints: string[] = []
  const seen = new Set<string>()
  const clicks = await walkMonth({
    layouts,
    month: book.months[1],
    look: async (page, what) => {
      if (seen.has(what)) return
      seen.add(what)
      complaints.push(...(await screenFaults(page, what)))
    },
  })
  expect(clicks).toBeLessThanOrEqual(40)
  expect(seen.size).toBe(4)
  expect(complaints).toEqual([])
})
it('brings the next month there in 20 clicks', async () => {
  expect(await walkMonth({ layouts, month: book.months[2] })).toBeLessThanOrEqual(20)
})
