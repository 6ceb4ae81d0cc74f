import { describe, expect, test } from 'vitest'
import { entities } from '../../schemas/entities/index.ts'
import { ticketList } from '../../schemas/entities/ticket.ts'

/** How a list writes the values of each kind (lists 5); a kind that is not named is written as it is. */
const written: Record<string, string> = {
  reference: 'label',
  dollars: 'dollars',
  percent: 'percent',
  seconds: 'date',
  moment: 'moment',
  month: 'month',
  number: 'number',
  flag: 'flag',
  choice: 'choice',
}
/** Columns that differ from their kind: two words for yes and no. */
const different: Record<string, string | undefined> = {
  'masteragent.isbankaccounttypechecking': 'flag',
  'masteragent.isbankaccounttypebusiness': 'flag',
}
const columns = Object.values(entities).flatMap((it) =>
  it.list.columns.map(({ field, as }) => ({ at: `${it.name}.${field}`, as, it, field })),
)

describe('a column of a list', () => {
  test.each(columns.map((column) => [column.at, column] as const))(
    '%s is written as its kind',
    (at, column) => {
      const { kind = '' } = column.it.schema.properties[column.field]!
      expect(column.as).toBe(at in different ? different[at] : written[kind])
    },
  )

  test('of the tickets stands where the specification has it (tickets 8)', () => {
    expect(ticketList.list.columns.map(({ head, field, as }) => [head, field, as])).toEqual([
      ['Number', 'id', undefined],
      ['Subject', 'subject', undefined],
      ['Type', 'tickettypeid', 'choice'],
      ['Status', 'statusid', 'choice'],
      ['Reporter', 'reporter', undefined],
      ['Created', 'created', 'moment'],
      ['Attachments', 'attachments', 'number'],
    ])
  })
})
