import type { Browser } from 'playwright-core'
import type { Config } from '../../../server/config/config.ts'
import { serve, type Served } from '../../browser/lib/serve.ts'
import { pathsOfPart } from '../../runs/changedWalks.mjs'
import { launch, openChromium } from './drivers/chromiumDriver.ts'
import type { Place } from './testWalks.ts'

/** One Chromium before the real server; each walk has a window of its own. */
export function inChromium(settings: () => Promise<Partial<Config>> = async () => ({})): Place {
  let home: Served
  let browser: Browser
  return {
    begin: async () => {
      ;[home, browser] = await Promise.all([settings().then(serve), launch()])
    },
    open: ({ take }) => openChromium(browser, home, { take }),
    end: async () => {
      await browser.close()
      await home.close()
    },
    longest: 40,
    choose: (paths) => pathsOfPart(paths),
    layer: 'chromium',
  }
}
