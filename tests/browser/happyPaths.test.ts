import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recorder } from '../mbt/coverage.ts'
import { drive } from '../models/drive/steps.ts'
import { inChromium } from '../models/lib/inChromium.ts'
import { pathAlong, graphOf, type UserModel, walk } from '../models/lib/userModel.ts'
import { list } from '../models/list/steps.ts'
import { load } from '../models/load/steps.ts'
import { password } from '../models/password/steps.ts'
import { modal } from '../models/record/steps.ts'
import { session } from '../models/session/steps.ts'
import { ticket } from '../models/ticket/steps.ts'
import { undo } from '../models/undo/steps.ts'
import { upload } from '../models/upload/steps.ts'

/**
 * What most people do at each screen most of the time, but for what the first walk of the README does in
 * Chromium anyway: saving a record, importing a file, running and locking a report. All other paths are
 * walked in Chromium by the long run.
 */
const paths: [UserModel, ...string[]][] = [
  [session, 'signs in: ok', 'loads data: ok', 'waits 300000 ms: ok', 'logs out'],
  [load, 'opens Home', 'reloads', 'leaves'],
  [
    list,
    'opens Merchants',
    'presses Next',
    'goes back',
    'goes forward',
    'presses Previous',
    'sorts by DBA',
    'sorts by DBA',
    'sorts by DBA',
    'types bakery',
    '300 ms pass',
    'reloads',
  ],
  [modal, 'a manager opens the list', 'presses Create', 'fills in a new merchant', 'presses Save'],
  [modal, 'a manager opens the list', 'follows a row', 'presses Delete', 'confirms'],
  [upload, 'opens Import Comp Data', 'presses Template (CSV)', 'chooses a file'],
  [
    upload,
    'opens Import Merchants',
    'chooses a faulty file',
    'asks for a preview',
    'presses Download fix file',
  ],
  [undo, 'opens Import Merchants', 'presses Next', 'goes back', 'presses Undo', 'confirms'],
  [
    drive,
    'opens Shared Drive',
    'opens the folder by its key',
    'downloads',
    'downloads by the key',
    'clicks the folder',
  ],
  [
    ticket,
    'opens Support Tickets',
    'fills it in',
    'attaches two files',
    'submits',
    'opens the ticket',
    'downloads the second',
    'closes the ticket',
  ],
  [password, 'opens Change Password', 'saves a new one'],
]

describe('the happy paths in Chromium', () => {
  const place = inChromium()
  const seen = recorder()
  beforeAll(place.begin)
  afterAll(place.end)

  it.each(
    paths.map(
      ([model, ...stimuli]) => [`${model.machine.id}: ${stimuli.join(' > ')}`, model, stimuli] as const,
    ),
  )('%s', async (_, model, stimuli) => {
    const tab = await place.open(seen)
    try {
      await walk(model, tab, pathAlong(graphOf(model), ['begins', ...stimuli]))
    } finally {
      await tab.close()
    }
  })

  it('show the transitions that the machines take', () => expect(seen.taken.size).toBeGreaterThan(40))
})
