import { describe, expect, it } from 'vitest'
import { faults } from './lib/allFaults.ts'
import { pathTo } from './lib/testFaults.ts'

/** The names of all models, as their files export them. */
const models = Object.values(
  import.meta.glob<Record<string, { id?: unknown }>>('./*/*odel.ts', { eager: true }),
)
  .flatMap((exported) => Object.values(exported))
  .flatMap(({ id }) => (typeof id === 'string' ? [id] : []))

describe('the tables of faults', () => {
  it.each([...new Set(models)])('hold three at least that %s would meet', (id) => {
    expect(faults.filter(({ model }) => model.machine.id === id).length).toBeGreaterThanOrEqual(3)
  })

  it('name every model whose faults they hold', () => {
    expect(faults.filter(({ model }) => !models.includes(model.machine.id)).map(({ name }) => name)).toEqual(
      [],
    )
  })

  it.each(faults.map((fault) => [fault.name, fault] as const))('lead to: %s', (_, fault) => {
    expect(pathTo(fault).at(-1)).toMatchObject({ stimulus: fault.stimulus, from: { state: fault.state } })
  })
})
