import { testMutants } from '../mbt/testMutants.ts'
import { specs } from '../spec/specs.ts'

for (const spec of specs) testMutants(spec)
