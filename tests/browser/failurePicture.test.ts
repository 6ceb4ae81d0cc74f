import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projectFolder } from '../../server/config/projectFolder.ts'
import { launch, openChromium } from '../models/lib/drivers/chromiumDriver.ts'
import { eventually } from '../models/lib/drivers/driver.ts'
import { pathAlong, graphOf, walk } from '../models/lib/userModel.ts'
import { upload } from '../models/upload/steps.ts'
import { serve, type Served } from './lib/serve.ts'

let portal: Served
let browser: Browser
beforeAll(async () => {
  ;[portal, browser] = await Promise.all([serve(), launch()])
})
afterAll(async () => {
  await browser.close()
  await portal.close()
})

it('a failed walk names its steps and saves a screenshot of what was seen', async () => {
  const tab = await openChromium(browser, portal)
  // From here on buttons have no effect: Clear leaves the file chosen.
  const press = tab.press
  let isDead = false
  const broken = {
    ...tab,
    press: async (...given: Parameters<typeof press>) => {
      isDead ||= given[0] === 'Clear'
      if (!isDead) await press(...given)
    },
    eventually: (<T>(look: () => Promise<T> | T) =>
      eventually(look, isDead ? 1_500 : undefined)) as typeof eventually,
  }
  const graph = graphOf(upload)
  const path = pathAlong(graph, ['begins', 'opens Import Merchants', 'chooses a file', 'clears'])
  const error = await walk(upload, broken, path).then(
    () => null,
    (reason: Error) => reason,
  )
  await tab.close()
  expect(error!.message).toContain(
    'begins > opens Import Merchants > chooses a file > clears\nwas to lead to: nothing chosen\n',
  )
  const [, file] = /\nscreenshot: (.+)$/.exec(error!.message)!
  expect(existsSync(join(projectFolder, file!))).toBe(true)
  expect(readFileSync(join(projectFolder, file!)).subarray(8, 12).toString()).toBe('WEBP')
})
