import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { GivenOptions } from './actorOptions.ts'
import type { OpenPortal } from './portal.ts'
import './styles/tokens.css'
import './styles/plain.css'
import { startTheme } from './theme.ts'

/** Draws the portal into an element. Answers how to take it away again. */
export const mount = (root: HTMLElement, portal: OpenPortal): (() => void) => {
  const stopTheme = startTheme()
  portal.start()
  const drawn = createRoot(root)
  drawn.render(
    <StrictMode>
      <GivenOptions value={portal.given}>
        <RouterProvider router={portal.router} />
      </GivenOptions>
    </StrictMode>,
  )
  return () => {
    drawn.unmount()
    portal.stop()
    stopTheme()
  }
}
