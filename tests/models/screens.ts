import type { Config } from '../../server/config.ts'
import { world, type World } from '../world.ts'
import { openDom, type Options } from './dom.tsx'
import type { Place } from './lives.ts'

/** The rendered screens in happy-dom, before the real app and its database. */
export function onScreens(options: Options = {}, settings: () => Promise<Partial<Config>> = async () => ({})): Place {
  let home: World
  return {
    begin: async () => {
      home = await world(await settings())
    },
    open: ({ inspect }) => openDom(home, { inspect, ...options }),
    end: () => home.close(),
    longest: 12,
    layer: 'screen',
  }
}
