import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entities } from '../../../schemas/entities/index.ts'
import { merchantMonthsPath } from '../../../schemas/entities/merchant.ts'
import {
  correctedParameters,
  readOpen,
  readQuery,
  maxSearchLength,
  writeOpen,
  writeQuery,
} from '../../../src/features/entity/address.ts'
import { givenValues } from '../../../src/features/entity/record/givenValues.ts'
import { manager, viewerWith } from './entityScreen.tsx'

const fields = ['xmid', 'dba', 'date_added']
const read = (search: string) => readQuery(new URLSearchParams(search), fields)
const first = { page: 1, size: 10, search: '', sort: '', filter: '' }

describe('what the URL asks of a list', () => {
  test.each([
    ['other=1', first],
    ['page=3', { ...first, page: 3 }],
    ['page=10000000', { ...first, page: 10_000_000 }],
    ['size=25', { ...first, size: 25 }],
    [
      'search=corner+deli&sort=-date_added&page=2&size=100',
      { page: 2, size: 100, search: 'corner deli', sort: '-date_added', filter: '' },
    ],
    ['search=%25_%26', { ...first, search: '%_&' }],
    ['sort=xmid', { ...first, sort: 'xmid' }],
    [`search=${'x'.repeat(maxSearchLength)}`, { ...first, search: 'x'.repeat(maxSearchLength) }],
    ['filter=accountstatus:2,3;notes:empty', { ...first, filter: 'accountstatus:2,3;notes:empty' }],
  ])('%s is read as it stands', (search, query) => {
    expect(read(search)).toEqual(query)
    expect(correctedParameters(new URLSearchParams(search), fields)).toBeNull()
  })

  test.each([
    'page=-1',
    'page=0',
    'page=abc',
    'page=1.5',
    'page=1e3',
    'page=01',
    'page=%2B2',
    'page=99999999999999999999',
    'page=10000001',
    'page=',
    'size=7',
    'size=0',
    'size=-10',
    'size=abc',
    'size=10.0',
    'size=1000',
    'sort=password',
    'sort=--xmid',
    'sort=-',
    'sort=constructor',
    `search=${'x'.repeat(maxSearchLength + 1)}`,
  ])('%s is out of range, read as the default, and the URL is corrected', (search) => {
    expect(read(search)).toEqual(first)
    expect(correctedParameters(new URLSearchParams(`a=1&${search}&b=2`), fields)?.toString()).toBe('a=1&b=2')
  })

  test('a value given twice is given once afterwards', () => {
    expect(correctedParameters(new URLSearchParams('page=2&page=3&size=25'), fields)?.toString()).toBe(
      'page=2&size=25',
    )
  })

  const text = fc.string({ unit: 'grapheme', maxLength: 60 })
  const query = fc.record({
    page: fc.integer({ min: 1, max: 10_000_000 }),
    size: fc.constantFrom(10, 25, 50, 100),
    search: text,
    sort: fc.constantFrom('', ...fields.flatMap((field) => [field, `-${field}`])),
    filter: text,
  })
  const others = fc.dictionary(
    text.filter((name) => !['page', 'size', 'search', 'sort', 'filter', 'open', ''].includes(name)),
    text,
  )

  test('what is written is read again, needs no correction, and unknown parameters are kept', () =>
    fc.assert(
      fc.property(query, others, (wanted, more) => {
        const address = new URLSearchParams(writeQuery(new URLSearchParams(more), wanted).toString())
        expect(readQuery(address, fields)).toEqual(wanted)
        expect(correctedParameters(address, fields)).toBeNull()
        for (const [name, value] of Object.entries(more)) expect(address.getAll(name)).toEqual([value])
      }),
    ))

  test('any URL is read, and the URL it is corrected to is read as the same and corrected no more', () =>
    fc.assert(
      fc.property(
        fc.webQueryParameters(),
        fc.constantFrom('page', 'size', 'sort', 'search', 'filter', 'open'),
        text,
        (noise, name, value) => {
          const params = new URLSearchParams(noise)
          params.append(name, value)
          const better = correctedParameters(params, fields) ?? params
          expect(readQuery(better, fields)).toEqual(readQuery(params, fields))
          expect(correctedParameters(better, fields)).toBeNull()
        },
      ),
    ))
})

describe('the record the URL opens', () => {
  test.each([
    ['other=1', null],
    ['open=12', 12],
    ['open=new', 'new'],
    ['open=2147483647', 2147483647],
    ['open=0', null],
    ['open=-3', null],
    ['open=abc', null],
    ['open=12abc', null],
    ['open=', null],
  ])('of %s is %s', (search, open) => expect(readOpen(new URLSearchParams(search))).toBe(open))

  test('is written beside the rest', () => {
    expect(writeOpen(new URLSearchParams('page=3&tab=x'), 12).toString()).toBe('page=3&tab=x&open=12')
    expect(writeOpen(new URLSearchParams('page=3&open=12&tab=x'), null).toString()).toBe('page=3&tab=x')
  })
})

describe('what a new record takes over from the address of its list (lists 19)', () => {
  const biller = viewerWith('lock_reports')
  test.each([
    ['merchant', 'search=400000000001', { xmid: '400000000001' }],
    [
      'merchant',
      'search=+0052730000000000+&filter=masteragentid:7',
      { xmid: '0052730000000000', masteragentid: 7 },
    ],
    ['merchant', 'search=4000000000', {}],
    ['merchant', 'search=40000000000', { xmid: '40000000000' }],
    ['masteragent', 'filter=parentid:0', {}],
    ['masteragent', 'filter=parentid:7', { parentid: 7 }],
    ['merchant', 'search=40000000000000001', {}],
    ['merchant', 'search=400000000001+north', {}],
    ['merchant', 'filter=masteragentid:7,8', {}],
    ['merchant', 'filter=accountstatus:3;date_added:2026-01-01..2026-01-01', {}],
    ['merchant', 'filter=masteragentid:7;lane:3', {}],
    [
      'adjustment',
      'search=400000000001&filter=month:2026-10..2026-10;merchantid:3',
      { month: '2026-10', merchantid: 3 },
    ],
    ['adjustment', 'filter=month:2026-09..2026-10', {}],
    ['adjustment', 'filter=month:2026-10..', {}],
  ])('a new %s at ?%s begins with %j', (name, address, values) => {
    const viewers = { merchant: manager, masteragent: viewerWith('manage_master_agents'), adjustment: biller }
    const viewer = viewers[name as keyof typeof viewers]
    expect(givenValues(entities[name]!, viewer, `?${address}&open=new`)).toEqual(values)
  })

  test('a field that the viewer may not fill takes over nothing', () => {
    expect(givenValues(entities.merchant!, viewerWith('edit_maid_salesrep'), '?search=400000000001')).toEqual(
      {},
    )
  })
})

test('an XMID stands whole in the address of Merchant by Month, whatever its characters', () => {
  const { searchParams } = new URL(merchantMonthsPath('A&B #1=ä'), 'http://portal')
  expect(Object.fromEntries(searchParams)).toEqual({
    report: 'merchant-by-month',
    merchant: 'A&B #1=ä',
    run: '1',
  })
})
