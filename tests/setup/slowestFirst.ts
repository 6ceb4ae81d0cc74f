import { relative } from 'node:path'
import type { TestSequencer, TestSpecification, Vitest } from 'vitest/node'

/**
 * Projects in the order they run: those with the longest files first, so that short files fill the gaps at
 * the end.
 */
const projects = ['browser', 'chromium-walks', 'faults', 'walks', 'screens', 'mutants', 'node']

/** The files that take longest, in seconds. The others take less than five and run after these. */
const seconds: Readonly<Record<string, number>> = {}

/** Starts the slowest files first, also on a machine where vitest has not yet measured any. */
export class SlowestFirst implements TestSequencer {
  readonly #vitest: Vitest

  constructor(vitest: Vitest) {
    this.#vitest = vitest
  }

  sort(files: TestSpecification[]): TestSpecification[] {
    const project = (file: TestSpecification) => projects.indexOf(file.project.name)
    const time = ({ moduleId }: TestSpecification) =>
      seconds[relative(this.#vitest.config.root, moduleId)] ?? 0
    return files.toSorted(
      (a, b) => project(a) - project(b) || time(b) - time(a) || (a.moduleId < b.moduleId ? -1 : 1),
    )
  }

  shard(): never {
    throw new Error('The tests of one run share a database server and are not divided among machines')
  }
}
