import { relative } from 'node:path'
import type { TestSequencer, TestSpecification, Vitest } from 'vitest/node'
import { inTurns } from './turns.mjs'

/**
 * Projects in the order they run: those with the longest files first, so that short files fill the gaps at
 * the end.
 */
const projects = [
  'browser',
  'chromium-walks',
  'faults',
  'walks',
  'screens',
  'kills',
  'machine-mutants',
  'node',
]

/** The files that take longest, in seconds. The others run after these. */
const seconds: Readonly<Record<string, number>> = {
  ...inTurns,
  'tests/browser/month.long.test.ts': 45,
  'tests/walks/chromium/record.test.ts': 50,
  'tests/walks/chromium/imports/upload.test.ts': 45,
  'tests/walks/chromium/session.test.ts': 43,
  'tests/walks/chromium/list.test.ts': 37,
  'tests/walks/chromium/bulk.test.ts': 35,
  'tests/walks/chromium/month.test.ts': 55,
  'tests/walks/chromium/report.test.ts': 65,
  'tests/walks/chromium/record/recordKinds.test.ts': 30,
  'tests/walks/chromium/password.test.ts': 24,
  'tests/walks/chromium/ticket.test.ts': 20,
  'tests/walks/chromium/email.test.ts': 17,
  'tests/walks/chromium/load.test.ts': 17,
}

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
