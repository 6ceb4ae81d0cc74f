import type { InspectionEvent } from 'xstate'
import { isSignedIn } from './api/storedSession.ts'
import { createPortal } from './app/createPortal.ts'
import { preloadShell } from './app/guards.tsx'
import { mount } from './app/mount.tsx'

declare global {
  /**
   * Set before the page runs, by the generated tests and the inspector: called with every event of the
   * machines.
   */
  var portalInspect: ((event: InspectionEvent) => void) | undefined
}

const portal = createPortal({ inspect: globalThis.portalInspect })
// Before anything is drawn, which takes as long as these files do.
if (isSignedIn(portal.session.getSnapshot())) preloadShell()
mount(document.getElementById('root')!, portal)
