import { describe, expect, test } from 'vitest'
import { viewLimits } from '../../schemas/api/lists/views.ts'
import { columnWidths, maxColumnsLength, maxFilterLength } from '../../schemas/constants.ts'
import type { Entity } from '../../schemas/entities/entity.ts'
import { entities } from '../../schemas/entities/index.ts'
import {
  columnsFault,
  offeredColumns,
  readColumns,
  writeColumns,
} from '../../schemas/entities/lists/layout.ts'
import { ticketList } from '../../schemas/entities/ticket.ts'
import { noPermissions, type Viewer } from '../../schemas/permissions.ts'
import { searchOf } from '../../src/features/views/views.ts'

const viewer = (admin: boolean): Viewer => ({
  username: 'ann',
  admin,
  masteragentid: null,
  seesall: true,
  permissions: noPermissions,
})
const ann = viewer(true)
const lists: Entity[] = [...Object.values(entities), ticketList]
const merchant = entities['merchant']!
const fieldsOf = (columns: readonly { field: string }[]) => columns.map(({ field }) => field)
const read = (text: string, entity = merchant) => readColumns(entity, ann, text)

describe.each(lists)('the columns of $name', (entity) => {
  const offered = offeredColumns(entity, ann)

  test('are its own first, in their order, and each has a name of its own', () => {
    expect(offered.slice(0, entity.list.columns.length)).toEqual(entity.list.columns)
    expect(new Set(offered.map(({ head }) => head)).size).toBe(offered.length)
    expect(new Set(fieldsOf(offered)).size).toBe(offered.length)
  })

  test('are no passwords, permissions, written fields or parts of records', () => {
    const kinds = offered.map(({ field }) => entity.schema.properties[field])
    expect(kinds.filter((it) => !it || it.writeOnly || it.kind === 'password' || it.items)).toEqual([])
    expect(kinds.filter((it) => it!.kind === 'permissions')).toEqual([])
  })

  test('come back from an address as they were written, whichever they are', () => {
    const laid = offered.toReversed().map((column, at) => ({ ...column, width: at % 2 === 0 ? 240 : null }))
    expect(readColumns(entity, ann, writeColumns(entity, laid))).toEqual(laid)
    const [one] = laid
    expect(readColumns(entity, ann, writeColumns(entity, [one!]))).toEqual([one])
  })

  test('with the longest search, filters and widths fit into a view', () => {
    const columns = offered.map(({ field }) => `${field}:${columnWidths.max}`).join()
    expect(columns.length).toBeLessThanOrEqual(maxColumnsLength)
    const longest = new URLSearchParams({
      search: '漢'.repeat(200),
      filter: ':'.repeat(maxFilterLength),
      sort: `-${'x'.repeat(59)}`,
      columns,
      density: 'comfortable',
    })
    expect(searchOf(longest).length).toBeLessThanOrEqual(viewLimits.search)
  })
})

test('the number of a master agent is offered and not shown until it is chosen', () => {
  const agent = entities['masteragent']!
  expect(fieldsOf(read('', agent))).not.toContain('displayid')
  expect(fieldsOf(offeredColumns(agent, ann))).toContain('displayid')
  expect(writeColumns(agent, read('', agent))).toBe('')
  expect(fieldsOf(read('name,displayid', agent))).toEqual(['name', 'displayid'])
})

describe('the columns of an address', () => {
  const own = merchant.list.columns.map((column) => ({ ...column, width: null }))
  test.each([
    ['', fieldsOf(own)],
    ['dba,xmid', ['dba', 'xmid']],
    ['gone,dba', ['dba']],
    ['dba,xmid,dba', ['dba', 'xmid']],
    ['gone', fieldsOf(own)],
    [',:,%', fieldsOf(own)],
    ['latemonths,dbacity', ['dbacity']],
  ])('%s are %j', (text, fields) => {
    expect(fieldsOf(read(text))).toEqual(fields)
  })

  test.each([
    [columnWidths.min - 1, null],
    [columnWidths.min, columnWidths.min],
    [columnWidths.min + 1, columnWidths.min + 1],
    [columnWidths.max - 1, columnWidths.max - 1],
    [columnWidths.max, columnWidths.max],
    [columnWidths.max + 1, null],
    ['-100', null],
    ['1e2', null],
    ['', null],
  ])('have the width %s as %s', (text, width) => {
    expect(read(`dba:${text}`)).toMatchObject([{ field: 'dba', width }])
  })

  test('are left out where they are those of the list, and stay where one has a width', () => {
    expect(writeColumns(merchant, own)).toBe('')
    expect(writeColumns(merchant, [{ ...own[0]!, width: 90 }, ...own.slice(1)])).toMatch(/^xmid:90,dba,/)
  })
})

test('a field that the form shows to some alone is offered to them alone', () => {
  const user = entities['user']!
  expect(fieldsOf(offeredColumns(user, ann))).toContain('admin')
  expect(fieldsOf(offeredColumns(user, viewer(false)))).not.toContain('admin')
  expect(fieldsOf(readColumns(user, viewer(false), 'admin,username'))).toEqual(['username'])
  expect(columnsFault(user, ann, 'admin')).toBeNull()
  expect(columnsFault(user, ann, 'id,admin,id:90')).toBe('columns names "id" twice')
  expect(columnsFault(user, viewer(false), 'admin')).toMatch(/^"admin" is no column of this list: use id, /)
})
