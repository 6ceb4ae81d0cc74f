import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { imports, type Import, type ImportName } from '../../schemas/imports/imports.ts'
import type { CellKind } from '../../schemas/imports/importTypes.ts'
import { projectFolder } from '../../server/config/projectFolder.ts'

const page = readFileSync(join(projectFolder, 'docs/product/imports.md'), 'utf8')
/** The number of the heading that has the columns of a kind of file, as the first table of the page says. */
const headingOf = (name: string): number => {
  const row = new RegExp(`^\\| Import .*/file/${name}\`.*\\(imports (\\d+)\\) \\|$`, 'm').exec(page)
  return Number(row?.[1])
}
/** How the page begins to say of what kind a column is; a kind that is not named is told by its choices. */
const said: Partial<Record<CellKind, string>> = {
  text: 'text',
  id: 'id',
  agent: 'agent',
  date: 'date',
  month: 'month',
  count: 'count',
  money: 'amount',
  percent: 'percentage',
  flag: 'yes or no',
  cardlast4: 'last four digits',
  taxidlast4: 'last four digits',
}
const ofTheMid =
  'xmid, mid, merchant id, merchant number, merchant no, mid number, account number, acct no, existing mid'

type Said = { head: string; isRequired: boolean; kind: string; others: string }
/** The columns in the table under a heading; a row may have several, and in brackets their lengths. */
const columnsUnder = (number: number): Said[] => {
  const rows = page.split(/^## /m)[number]!.matchAll(/^\| (.+?) \| (.+?) \| (.*?) ?\|$/gm)
  return [...rows].slice(1).flatMap(([, names, kind, others]) =>
    names!
      .replaceAll('**', '')
      .replace(/ \([^)]*\)/g, '')
      .split(', ')
      .map((head) => ({
        head,
        isRequired: names!.includes('(required'),
        kind: kind!,
        others: others === 'see imports 6' ? ofTheMid : others!,
      })),
  )
}

test.each(Object.keys(imports))(
  'the page of imports has every column of a file of %s in its order: heading, kind, whether it must be there, other names',
  (name) => {
    const { columns }: Import = imports[name as ImportName]
    const onPage = columnsUnder(headingOf(name))
    expect(
      columns.map(({ head, required = false, aliases = [] }) => [head, required, aliases.join(', ')]),
    ).toEqual(onPage.map(({ head, isRequired, others }) => [head, isRequired, others]))
    for (const { head, kind } of columns)
      expect(onPage.find((column) => column.head === head)!.kind, head).toMatch(
        RegExp(`^${said[kind] ?? ''}`),
      )
  },
)

/** The columns and kinds of file that are read or stored in a way of their own, as 'kind.field' (imports). */
const special: Record<string, string[]> = {
  mayBeLater: [
    'merchant.date_closed',
    'pcicompliance.expirationdate',
    'chargeback.duedate',
    'tinvalidation.noticedate',
    'dailyvolume.batchdate',
  ],
  isCost: [
    'pcicompliance.noncompliancefee',
    'chargeback.amount',
    'compdata.expense',
    'dailyvolume.refundamount',
  ],
  nullWhenBlank: ['compdata.sourceagentnet'],
  sameInEveryRow: ['compdata.month', 'compdata.processor'],
  wordsOnly: ['tinvalidation.tintype'],
  ambiguous: ['tinvalidation.tintype'],
}
test.each(Object.keys(special))('the columns with %s are those of the table, and no others', (mark) => {
  const marked = Object.values<Import>(imports).flatMap(({ name, columns }) =>
    columns.filter((column) => mark in column).map(({ field }) => `${name}.${field}`),
  )
  expect(marked).toEqual(special[mark])
})

test('a new row has the values of the table where its cells are blank', () => {
  const values = Object.values<Import>(imports).flatMap(({ name, columns }) =>
    columns.flatMap(({ field, defaultValue }) =>
      defaultValue === undefined ? [] : [`${name}.${field} ${defaultValue}`],
    ),
  )
  expect(values).toEqual(['chargeback.casetype chargeback', 'dailyvolume.currency USD'])
})

test.each<[ImportName, key: string, totals: object, marks: string]>([
  ['merchant', 'xmid', {}, 'blankKeepsStored'],
  ['pcicompliance', 'xmid', { fees: 'noncompliancefee' }, 'blankKeepsStored'],
  ['chargeback', 'xmid casenumber', { amount: 'amount' }, 'blankKeepsStored'],
  ['tinvalidation', 'xmid', {}, 'blankKeepsStored hidesTaxIds oneOf withoutHeading'],
  ['compdata', 'xmid', { sales: 'sales', income: 'income', expense: 'expense', net: 'net' }, 'oneOf'],
  [
    'dailyvolume',
    'xmid batchnumber',
    { sales: 'salesamount', refunds: 'refundamount', net: 'netamount' },
    'dated',
  ],
])('a file of %s has the key %s, the totals %j and the marks %s', (name, key, totals, marks) => {
  const it: Import = imports[name]
  const all = ['blankKeepsStored', 'dated', 'hidesTaxIds', 'oneOf', 'withoutHeading']
  expect([it.key.join(' '), it.totals ?? {}, all.filter((mark) => mark in it).join(' ')]).toEqual([
    key,
    totals,
    marks,
  ])
})
