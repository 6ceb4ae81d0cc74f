import { specs } from '../machines/specs.ts'
import { testMutants } from '../mbt/testMutants.ts'

for (const spec of specs) testMutants(spec)
