import type { Config } from '../../../server/config/config.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'
import { openDom, type Options } from './drivers/domDriver.tsx'
import type { Place } from './testWalks.ts'

/**
 * A portal with these settings. What its pages fetch is here before the first walk, which waits for what is
 * expected and not for a compiler; and before the portal starts, whose plugins have ten seconds.
 */
export async function ready(
  settings: () => Promise<Partial<Config>> = async () => ({}),
): Promise<TestPortal> {
  await Promise.all([
    import('../../../src/app/shell/Shell.tsx'),
    import('../../../src/app/Screens.tsx'),
    import('../../../src/app/anywhere/Anywhere.tsx'),
    import('../../../src/app/anywhere/FindDialog.tsx'),
    import('../../../src/forms/EntityForm.tsx'),
    import('../../../src/features/imports/ImportPage.tsx'),
    import('../../../src/features/inbox/InboxPage.tsx'),
    import('../../../src/features/drive/DrivePage.tsx'),
    import('../../../src/features/reports/ReportPage.tsx'),
    import('../../../src/features/reports/ReportInputs.tsx'),
    import('../../../src/features/reports/ReportUnlock.tsx'),
    import('../../../src/features/tickets/TicketsPage.tsx'),
    import('../../../src/features/tickets/TicketDialog.tsx'),
  ])
  return openTestPortal(await settings())
}

/** The rendered screens in happy-dom, before the real app and its database. */
export function onScreens(options: Options = {}, settings?: () => Promise<Partial<Config>>): Place {
  let home: TestPortal
  return {
    begin: async () => {
      home = await ready(settings)
    },
    open: ({ inspect }) => openDom(home, { inspect, ...options }),
    end: () => home.close(),
    longest: 80,
    layer: 'screen',
  }
}
