import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { ActorEnvironmentContext } from '../parts/hooks/actorEnvironment.ts'
import { startTheme } from '../parts/theme.ts'
import './tokens.css'
import './plain.css'
import type { OpenPortal } from './createPortal.ts'

/** Starts the portal and renders it into an element. Returns how to stop and remove it. */
export const mount = (root: HTMLElement, portal: OpenPortal): (() => void) => {
  const stopTheme = startTheme()
  portal.start()
  const reactRoot = createRoot(root)
  reactRoot.render(
    <StrictMode>
      <ActorEnvironmentContext value={portal.actorEnvironment}>
        <RouterProvider router={portal.router} />
      </ActorEnvironmentContext>
    </StrictMode>,
  )
  return () => {
    reactRoot.unmount()
    portal.stop()
    stopTheme()
  }
}
