import { expect, test } from 'vitest'
import { createActor, waitFor } from 'xstate'
import { entities } from '../../../schemas/entities/index.ts'
import { provideListTools } from '../../../src/api/provide/lists.ts'
import { scripted, signedInCall } from '../../journeys/scripted.ts'

/** Reads all rows of a list with so many, each page of which begins with the last row of the page before. */
const readAll = async (total: number) => {
  const server = scripted({
    'GET /api/v1/equipment': ({ query }) => {
      const from = (Number(query['page']) - 1) * 100
      const length = Math.min(100, total - from)
      const data = Array.from({ length }, (_, at) => ({ id: from + at - (Number(query['page']) - 1) }))
      return { body: { data, total_length: total } }
    },
  })
  const asked = { search: 'x', sort: '-model', filter: '' }
  const { allRows } = provideListTools(signedInCall(server))(entities.equipment!)
  const actor = createActor(allRows(asked)).start()
  actor.send({ type: 'load' })
  const { context } = await waitFor(actor, (state) => state.matches('shown'))
  return { rows: context.result as { id: number }[], queries: server.calls.map(({ query }) => query) }
}

test.each([
  [0, 1],
  [99, 1],
  [100, 1],
  [101, 2],
  [200, 2],
  [201, 3],
])(
  'all %i rows of a list are read by %i calls, and one that moves to a later page once',
  async (total, calls) => {
    const { rows, queries } = await readAll(total)
    expect(queries.map((query) => query['page'])).toEqual(
      Array.from({ length: calls }, (_, at) => String(at + 1)),
    )
    for (const query of queries) expect(query).toMatchObject({ size: '100', search: 'x', sort: '-model' })
    expect(rows.map(({ id }) => id)).toEqual(
      Array.from({ length: Math.max(0, total - (calls - 1)) }, (_, id) => id),
    )
  },
)
