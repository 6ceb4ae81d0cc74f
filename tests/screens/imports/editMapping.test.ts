import { describe, expect, test } from 'vitest'
import { imports } from '../../../schemas/imports/imports.ts'
import type { ColumnRef, Mapping } from '../../../schemas/imports/mapping/mapping.ts'
import {
  chooseColumn,
  columnKey,
  constantChoice,
  noColumn,
  setConstant,
  setPad,
  setSign,
  unusedColumns,
} from '../../../src/features/imports/mapping/editMapping.ts'

const sheet = 'Data'
const net = imports.compdata.columns.find(({ field }) => field === 'net')!
const ref = (name: string, sign: 1 | -1 = 1): ColumnRef => ({ sheet, name, sign })
const key = (name: string) => columnKey({ sheet, name })
const mapped = (columns: ColumnRef[], pad?: number): Mapping => ({
  sheets: [{ name: sheet, heading: ['A', 'B', 'C'] }],
  fields: { net: { columns, ...(pad !== undefined && { pad }) } },
})
const ofNet = ({ fields }: Mapping) => fields['net']

describe('the columns of a field', () => {
  test.each<[what: string, given: Mapping, at: number, chosen: string, after: unknown]>([
    ['another one keeps the sign', mapped([ref('A', -1)]), 0, key('B'), { columns: [ref('B', -1)] }],
    ['a further one is added', mapped([ref('A', -1)]), 1, key('B'), { columns: [ref('A', -1), ref('B')] }],
    ['one of a sum is taken out', mapped([ref('A'), ref('B', -1)]), 0, noColumn, { columns: [ref('B', -1)] }],
    ['the only one is taken out', mapped([ref('A')]), 0, noColumn, undefined],
    ['another one keeps the zeros', mapped([ref('A')], 12), 0, key('B'), { columns: [ref('B')], pad: 12 }],
    ['one value for all rows', mapped([ref('A')], 12), 0, constantChoice, { constant: '' }],
  ])('%s', (_, given, at, chosen, after) => {
    expect(ofNet(chooseColumn(given, net, at, chosen))).toEqual(after)
  })

  test('have the sign that is chosen at their place, and the digits', () => {
    const both = mapped([ref('A'), ref('B')], 12)
    expect(ofNet(setSign(both, net, 1, -1))).toEqual({ columns: [ref('A'), ref('B', -1)], pad: 12 })
    expect(ofNet(setPad(both, net, 9))).toEqual({ columns: [ref('A'), ref('B')], pad: 9 })
    expect(ofNet(setPad(both, net, null))).toEqual({ columns: [ref('A'), ref('B')] })
    expect(ofNet(setConstant(both, net, '5'))).toEqual({ constant: '5' })
  })

  test('that no field takes are named in the order of the file', () => {
    expect(unusedColumns(mapped([ref('B')]))).toEqual(['A', 'C'])
  })
})
