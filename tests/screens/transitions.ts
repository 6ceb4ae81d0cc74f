import { createRequire } from 'node:module'
import { onTestFinished } from 'vitest'

const { config } = createRequire(import.meta.url)('react-transition-group') as {
  config: { disabled: boolean }
}

/**
 * Lets dialogs take their time to close in this test, as in a browser; tests/setup/window.ts closes them at
 * once.
 */
export function drawTransitions(): void {
  config.disabled = false
  onTestFinished(() => {
    config.disabled = true
  })
}
