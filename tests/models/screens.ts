import type { Config } from '../../server/config.ts'
import { world, type World } from '../world.ts'
import { openDom, type Options } from './dom.tsx'
import type { Place } from './lives.ts'

/** A portal with these settings. What its pages fetch is here before the first walk, which waits for what is expected and not for a compiler. */
export async function ready(settings: () => Promise<Partial<Config>> = async () => ({})): Promise<World> {
  const [home] = await Promise.all([
    settings().then(world),
    import('../../src/shell/Shell.tsx'),
    import('../../src/Screens.tsx'),
    import('../../src/forms/EntityForm.tsx'),
    import('../../src/pages/ImportPage.tsx'),
    import('../../src/pages/DrivePage.tsx'),
    import('../../src/pages/ReportPage.tsx'),
    import('../../src/pages/ReportInputs.tsx'),
    import('../../src/pages/ReportUnlock.tsx'),
    import('../../src/pages/TicketsPage.tsx'),
    import('../../src/pages/TicketDialog.tsx'),
  ])
  return home
}

/** The rendered screens in happy-dom, before the real app and its database. */
export function onScreens(options: Options = {}, settings?: () => Promise<Partial<Config>>): Place {
  let home: World
  return {
    begin: async () => {
      home = await ready(settings)
    },
    open: ({ inspect }) => openDom(home, { inspect, ...options }),
    end: () => home.close(),
    longest: 12,
    layer: 'screen',
  }
}
