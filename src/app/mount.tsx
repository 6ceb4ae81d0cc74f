import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { ActorEnvironmentContext } from '../parts/actorOptions.ts'
import { startTheme } from '../parts/theme.ts'
import './tokens.css'
import './plain.css'
import type { OpenPortal } from './createPortal.ts'

/** Draws the portal into an element. Answers how to take it away again. */
export const mount = (root: HTMLElement, portal: OpenPortal): (() => void) => {
  const stopTheme = startTheme()
  portal.start()
  const drawn = createRoot(root)
  drawn.render(
    <StrictMode>
      <ActorEnvironmentContext value={portal.actorEnvironment}>
        <RouterProvider router={portal.router} />
      </ActorEnvironmentContext>
    </StrictMode>,
  )
  return () => {
    drawn.unmount()
    portal.stop()
    stopTheme()
  }
}
