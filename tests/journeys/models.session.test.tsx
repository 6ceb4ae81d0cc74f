import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionMachine } from '../../machines/session.machine.ts'
import { recorder } from '../mbt/coverage.ts'
import { names, tours } from '../mbt/paths.ts'
import { openDom } from '../models/dom.tsx'
import { session } from '../models/session.steps.ts'
import { gaps, graphOf, walk } from '../models/suite.ts'
import { world, type World } from '../world.ts'

let home: World
beforeAll(async () => {
  home = await world()
})
afterAll(() => home.close())

const graph = graphOf(session)
const seen = recorder()

describe('the session on rendered screens', () => {
  it('is modelled without gaps', () => {
    expect(Object.entries(gaps(session, graph)).filter(([, names]) => names.length > 0)).toEqual([])
  })

  const paths = tours(graph, 8)
  it.each(paths.map((path) => [names(path).join(' > '), path] as const))('%s', async (_, path) => {
    const driver = openDom(home, { inspect: seen.inspect })
    try {
      await walk(session, driver, path)
    } finally {
      await driver.close()
    }
  }, 30_000)

  it('was seen to take every transition of the machine', () => {
    expect(seen.missing(sessionMachine)).toEqual([])
  })
})
