import { expect, it } from 'vitest'
import { machineFiles } from '../mbt/machines.ts'
import { testMachine } from '../mbt/testMachine.ts'
import { specs } from './specs.ts'

it('there is a table for each machine', async () => {
  expect(specs.map(({ machine }) => machine.id)).toEqual((await machineFiles()).map(({ name }) => name))
})

for (const spec of specs) testMachine(spec)
