import type { InspectionEvent } from 'xstate'
import { createPortal } from './app/createPortal.ts'
import { mount } from './app/mount.tsx'

declare global {
  /**
   * Set before the page runs, by the generated tests and the inspector: called with every event of the
   * machines.
   */
  var portalInspect: ((event: InspectionEvent) => void) | undefined
}

mount(document.getElementById('root')!, createPortal({ inspect: globalThis.portalInspect }))
