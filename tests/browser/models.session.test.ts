import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionMachine } from '../../machines/session.machine.ts'
import { recorder } from '../mbt/coverage.ts'
import { names, tours } from '../mbt/paths.ts'
import { launch, openChromium } from '../models/chromium.ts'
import { session } from '../models/session.steps.ts'
import { graphOf, walk } from '../models/suite.ts'
import { served, type Served } from './server.ts'

let home: Served
let browser: Browser
beforeAll(async () => {
  ;[home, browser] = await Promise.all([served(), launch()])
})
afterAll(async () => {
  await browser.close()
  await home.close()
})

const seen = recorder()

describe('the session in Chromium', () => {
  it.each(tours(graphOf(session), 16).map((path) => [names(path).join(' > '), path] as const))('%s', async (_, path) => {
    const driver = await openChromium(browser, home, { take: seen.take })
    try {
      await walk(session, driver, path)
    } finally {
      await driver.close()
    }
  })

  it('was seen to take every transition of the machine', () => {
    expect(seen.missing(sessionMachine)).toEqual([])
  })
})
