import fc from 'fast-check'
import { type ImportColumn, type ImportName, imports } from '../../schemas/imports/imports.ts'
import type { Db } from '../../server/db/db.ts'
import { csvOf, type Rows } from './workbooks.ts'

type Row = Record<string, unknown>
const words = fc
  .string({ unit: fc.constantFrom(...'abcXYZ é,"\';=+@\\\t&<>0123'.split('')), minLength: 1, maxLength: 12 })
  .map((text) => `w${text.trim()}`)
const day = fc
  .integer({ min: 1, max: 40_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
const money = fc.integer({ min: -9_999_999, max: 9_999_999 }).map((cents) => (cents / 100).toFixed(2))

/** What a cell of a column may say in a file, '' for blank where it may be. */
const said = (column: ImportColumn): fc.Arbitrary<string> => {
  const { kind, choices = [], wordsOnly: worded } = column
  const filled: Partial<Record<ImportColumn['kind'], fc.Arbitrary<string>>> = {
    text: words.map((text) => text.slice(0, column.maxLength ?? 200)),
    id: fc.integer({ min: 1, max: 999_999 }).map(String),
    agent: fc.constantFrom('2', 'MA0003'),
    accountstatus: fc.constantFrom('1', '2', '3'),
    date: day,
    count: fc.integer({ min: 0, max: 9999 }).map(String),
    money,
    percent: fc.integer({ min: 0, max: 1000 }).map((tenth) => `${tenth / 10}%`),
    flag: fc.constantFrom('Yes', 'No'),
    choice: fc.constantFrom(...choices.map(({ value }) => value), 'x').filter((text) => text !== 'x'),
    code: fc
      .constantFrom(...choices.map(({ value, words: [word] }) => (worded ? word! : value)), '-')
      .filter((text) => text !== '-'),
    month: fc.constant('2025-05'),
    cardlast4: fc.integer({ min: 0, max: 9999 }).map((number) => String(number).padStart(4, '0')),
    taxidlast4: fc.integer({ min: 0, max: 9999 }).map((number) => String(number).padStart(4, '0')),
  }
  const cell = filled[kind]!
  return column.required || column.sameInEveryRow ? cell : fc.oneof(cell, cell, fc.constant(''))
}

/** Rows of a file of a kind that can be imported; `fixed` are cells that depend on each other. */
export const filesOf = (name: ImportName, fixed: Record<string, string>): fc.Arbitrary<Rows> => {
  const it = imports[name]
  const row = fc.tuple(
    ...it.columns.map((column: ImportColumn) =>
      fixed[column.field] === undefined ? said(column) : fc.constant(fixed[column.field]!),
    ),
    words,
  )
  const key = (cells: string[]) =>
    it.key.map((field) => cells[it.columns.findIndex((column) => column.field === field)] ?? '').join(' ')
  return fc
    .uniqueArray(row, {
      minLength: 20,
      maxLength: 60,
      selector: name === 'dailyvolume' ? (cells) => cells[0] : key,
    })
    .map((rows) => [[...it.columns.map(({ head }) => head), 'Colour'], ...rows])
}

const shown = ({ kind, choices = [], wordsOnly: worded }: ImportColumn, value: unknown): string => {
  if (value === null || value === '') return ''
  if (kind === 'date') return new Date(Number(value) * 1000).toISOString().slice(0, 10)
  if (kind === 'percent') return `${Number(value)}%`
  if (kind === 'flag') return value ? 'Yes' : 'No'
  if (kind === 'code' && worded) return choices.find((choice) => choice.value === String(value))!.words[0]!
  return String(value)
}

/** What is stored of a kind, as a file of its own headings. */
export async function exported(db: Db, name: ImportName): Promise<string> {
  const it = imports[name]
  const rows = await db.query<Row>(`select to_jsonb(t) as row from ${it.table} t order by id`)
  return csvOf([
    [...it.columns.map(({ head }) => head), 'Colour'],
    ...rows.map(({ row }) => {
      const record = row as Row
      const extra = record.extra as Record<string, string> | null
      return [
        ...it.columns.map((column: ImportColumn) => shown(column, record[column.field] ?? null)),
        extra?.Colour ?? '',
      ]
    }),
  ])
}
