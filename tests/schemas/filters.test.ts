import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxFilterLength } from '../../schemas/constants.ts'
import { entities } from '../../schemas/entities/index.ts'
import { columnTitle, optionsOf } from '../../schemas/entities/lists/columns.ts'
import {
  canBeEmpty,
  codeOf,
  filterColumns,
  maxReferences,
  parseFilters,
  referringPath,
  writeFilters,
  type FilterTest,
} from '../../schemas/entities/lists/filters.ts'
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

/** The columns whose rows without a value can be asked for. */
const emptiable: Record<string, string> = {
  masteragent:
    'parentid percentagecommissionreceived amountcommissionreceived percentageequipmentcommissionreceived ' +
    'amountequipmentcommissionreceived routingnumber businessname',
  equipment: 'licensingkey merchantid masteragentid requestedpaperworkdate completedpaperworkdate',
  merchant:
    'businesstype product status sales_rep date_added date_approved date_submitted date_closed date_received ' +
    'tinstatus notes',
  adjustment: 'masteragentid merchantid latemid author recorded decidedby decisionreason',
  processor: 'othernames since',
  processorstatement: 'statednet filenet note',
  user: 'masteragentid',
  tc: '',
  ticket: 'subject reporter',
}
test.each(lists)('of $name the table says which columns can be empty', (it) => {
  const found = filterColumns(it).filter((one) => canBeEmpty(one))
  expect(found.map(({ column }) => column.field).join(' ')).toBe(emptiable[it.name])
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

  const range = 'a range is written from..to, one of them may be missing'
  test.each([
    ['merchant', 'date_added:1000-01-01..2999-12-31', null],
    ['merchant', 'date_added:0999-12-31..', '"0999-12-31" is not a day as 2026-01-31'],
    ['merchant', 'date_added:..3000-01-01', '"3000-01-01" is not a day as 2026-01-31'],
    ['merchant', 'date_added:2026-02-30..', '"2026-02-30" is not a day as 2026-01-31'],
    ['merchant', 'date_added:2026-01-01', range],
    ['merchant', 'date_added:..', range],
    ['merchant', 'date_added:2026-01-01..2026-01-02..2026-01-03', range],
    ['merchant', 'date_added:2026-01-01..2026-01-01', null],
    ['merchant', 'date_added:2026-01-02..2026-01-01', '2026-01-02 comes after 2026-01-01'],
    ['adjustment', 'month:2026-01..2026-12', null],
    ['adjustment', 'month:2026-00..', '"2026-00" is not a month as 2026-01'],
    ['adjustment', 'month:..2026-13', '"2026-13" is not a month as 2026-01'],
    ['adjustment', 'amount:9..10', null],
    ['adjustment', 'amount:-10..-9', null],
    ['adjustment', 'amount:1.5..1.50', null],
    ['adjustment', 'amount:10..9', '10 comes after 9'],
    ['adjustment', 'amount:999999999999.9999..', null],
    ['adjustment', 'amount:1000000000000..', '"1000000000000" is not a number as 1250.5'],
    ['adjustment', 'amount:..0.00001', '"0.00001" is not a number as 1250.5'],
    ['merchant', 'masteragentid:2147483647', null],
    ['merchant', 'masteragentid:2147483648', '"2147483648" is not the number of a record'],
    ['merchant', 'masteragentid:0', '"0" is not the number of a record'],
    ['masteragent', 'parentid:0,7', null],
    ['merchant', 'masteragentid:empty', 'it is never empty'],
    ['equipment', 'equipmentownertypeid:empty', 'it is never empty'],
    ['merchant', 'status:Live', 'it can be empty or filled'],
    ['merchant', 'accountstatus:4', '"4" is none of 1 (Unknown), 2 (Active), 3 (Inactive)'],
    ['merchant', 'status:empty;status:filled', 'it is there twice'],
  ])('of %s, %s is followed, or refused: %s', (name, text, fault) => {
    const read = parseFilters(entities[name]!, text)
    expect([read.filters.length, read.fault?.replace(/^Filter [^:]+: /, '') ?? null]).toEqual([
      fault === null ? 1 : 0,
      fault,
    ])
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
