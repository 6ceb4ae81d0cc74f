import type { InspectionEvent } from 'xstate'
import { mount } from './app/mount.tsx'
import { createPortal } from './app/createPortal.ts'

declare global {
  /** Set before the page runs, it sees what the machines do: for the generated tests and the inspector. */
  var portalInspect: ((event: InspectionEvent) => void) | undefined
}

mount(document.getElementById('root')!, createPortal({ inspect: globalThis.portalInspect }))
