import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxFilterLength } from '../../schemas/constants.ts'
import { columnTitle, optionsOf } from '../../schemas/entities/columns.ts'
import {
  canBeEmpty,
  codeOf,
  filterColumns,
  maxReferences,
  parseFilters,
  referringPath,
  writeFilters,
  type FilterTest,
} from '../../schemas/entities/filters.ts'
import { entities } from '../../schemas/entities/index.ts'
import { merchant } from '../../schemas/entities/merchant.ts'
import { ticketList } from '../../schemas/entities/ticket.ts'

const lists = [...Object.values(entities), ticketList]

/** How the columns of each kind of field are filtered (lists 15). */
const ofKind: Record<string, string> = {
  reference: 'reference',
  choice: 'choice',
  flag: 'choice',
  seconds: 'days',
  moment: 'days',
  month: 'months',
  dollars: 'numbers',
  percent: 'numbers',
  number: 'numbers',
}
const columns = Object.values(entities).flatMap((it) =>
  it.list.columns.map(({ field }) => ({ at: `${it.name}.${field}`, it, field })),
)

test.each(columns)(
  '$at is filtered as its kind, unless it is a secret or a text that is always there',
  (one) => {
    const { kind = '', secret, minLength = 0, type } = one.it.schema.properties[one.field]!
    const found = filterColumns(one.it).find(({ column }) => column.field === one.field)
    const ofText = type === 'string' && minLength === 0 ? 'text' : undefined
    expect(found?.kind).toBe(secret ? undefined : (ofKind[kind] ?? ofText))
  },
)

test('the list of tickets is filtered by type, status, day and attachments', () =>
  expect(
    filterColumns(ticketList)
      .filter(({ kind }) => kind !== 'text')
      .map(({ column, kind }) => `${column.field} ${kind}`),
  ).toEqual(['tickettypeid choice', 'statusid choice', 'created days', 'attachments numbers']))

test('a flag with one word is named by its field, one with two by its heading', () => {
  const titles = ['processorstatement', 'masteragent'].flatMap((name) =>
    filterColumns(entities[name]!)
      .filter(({ column }) => column.as === 'flag')
      .map(({ column, property }) => [
        columnTitle(column, property),
        optionsOf(column, property).map(({ title }) => title),
      ]),
  )
  expect(titles).toEqual([
    ['No file this month', ['Yes', 'No']],
    ['Account Type', ['Checking', 'Savings']],
    ['Business/Personal', ['Business', 'Personal']],
    ['Office Account', ['Yes', 'No']],
  ])
})

type Column = ReturnType<typeof filterColumns>[number]
const day = fc
  .integer({ min: 0, max: 40_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
const ordered = (bound: fc.Arbitrary<string>, order: (one: string, other: string) => number) =>
  fc.uniqueArray(bound, { minLength: 2, maxLength: 2 }).map((two) => two.toSorted(order))
const ranges: Record<string, fc.Arbitrary<string[]>> = {
  days: ordered(day, (one, other) => (one < other ? -1 : 1)),
  months: ordered(
    day.filter((one) => one > '2000').map((one) => one.slice(0, 7)),
    (one, other) => (one < other ? -1 : 1),
  ),
  numbers: ordered(
    fc.integer({ min: -99_999, max: 99_999 }).map((cents) => String(cents / 100)),
    (one, other) => Number(one) - Number(other),
  ),
}
const testOf = ({ kind, column, property }: Column): fc.Arbitrary<FilterTest> => {
  const empty = canBeEmpty({ kind, property })
    ? [fc.constantFrom<FilterTest>({ is: 'empty' }, { is: 'filled' })]
    : []
  if (kind === 'text') return empty[0]!
  if (kind === 'choice')
    return fc.oneof(
      ...empty,
      fc
        .subarray(optionsOf(column, property), { minLength: 1 })
        .map((options): FilterTest => ({ is: 'among', values: options.map(({ value }) => value) })),
    )
  if (kind === 'reference')
    return fc.oneof(
      ...empty,
      fc
        .uniqueArray(fc.integer({ min: 1, max: 2_147_483_647 }), { minLength: 1, maxLength: 5 })
        .map((values): FilterTest => ({ is: 'among', values })),
    )
  const between = fc
    .tuple(ranges[kind]!, fc.constantFrom('both', 'from', 'to'))
    .map(([[from, to], which]): FilterTest => ({
      is: 'between',
      from: which === 'to' ? null : from!,
      to: which === 'from' ? null : to!,
    }))
  return fc.oneof(...empty, between)
}

describe('filters in an address', () => {
  test.each(lists.filter((it) => filterColumns(it).length > 0))(
    'of $name are read as they were written',
    (it) =>
      fc.assert(
        fc.property(
          fc
            .subarray(filterColumns(it))
            .chain((columns) =>
              fc.tuple(
                ...columns.map((one) =>
                  testOf(one).map((test) => ({ column: one.column, kind: one.kind, test })),
                ),
              ),
            ),
          (filters) => {
            expect(parseFilters(it, writeFilters(filters))).toEqual({ filters, fault: null })
          },
        ),
        { numRuns: 50 },
      ),
  )

  test('that are any text are read or refused with a sentence that begins with what is wrong', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...lists),
        fc.oneof(
          fc.string({ unit: 'grapheme', maxLength: 80 }),
          fc
            .tuple(fc.constantFrom(...lists.flatMap((it) => filterColumns(it))), fc.string({ maxLength: 40 }))
            .map(([{ column }, rest]) => `${column.field}:${rest}`),
        ),
        (it, text) => {
          const { filters, fault } = parseFilters(it, text)
          if (fault === null) expect(writeFilters(filters).length).toBeLessThanOrEqual(maxFilterLength)
          else expect(fault).toMatch(/^(Filter .+: |".*" is no filter of this list: use )/s)
          expect(fault === null || filters.length === 0).toBe(true)
        },
      ),
    ))

  test.each([
    [maxReferences - 1, null],
    [maxReferences, null],
    [maxReferences + 1, `Filter Master Agent: at most ${maxReferences} records can be named`],
  ])('may name %i records of a reference: %s', (count, fault) => {
    const ids = Array.from({ length: count }, (_, at) => at + 1)
    expect(parseFilters(merchant, `masteragentid:${ids.join()}`).fault).toBe(fault)
  })

  test('of a choice without a code are named none', () => {
    expect(codeOf(null)).toBe('none')
    expect(parseFilters(entities.equipment!, 'equipmentownertypeid:none').filters[0]?.test).toEqual({
      is: 'among',
      values: [null],
    })
  })

  test('lead from a record to those that refer to it', () => {
    expect(referringPath(merchant, 'masteragentid', 7)).toBe('/manage/merchants?filter=masteragentid:7')
  })
})
