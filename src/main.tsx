import type { InspectionEvent } from 'xstate'
import { mount } from './mount.tsx'
import { createPortal } from './portal.ts'

declare global {
  /** Set before the page runs, it sees what the machines do: for the generated tests and the inspector. */
  var portalInspect: ((event: InspectionEvent) => void) | undefined
}

mount(document.getElementById('root')!, createPortal({ inspect: globalThis.portalInspect }))
