import { expect, test } from 'vitest'
import { readBatch } from '../../../src/features/imports/ImportHistory.tsx'

test.each([
  ['', null],
  ['batch=', null],
  ['batch=0', null],
  ['batch=1', 1],
  ['batch=12', 12],
  ['batch=012', null],
  ['batch=999999999', 999_999_999],
  ['batch=1000000000', null],
  ['batch=-1', null],
  ['batch=1x', null],
  ['batch=x1', null],
  ['batch=1.5', null],
])('the address %j names the import %s alone', (search, batch) => {
  expect(readBatch(new URLSearchParams(search))).toBe(batch)
})
