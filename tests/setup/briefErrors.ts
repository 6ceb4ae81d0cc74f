import { configure, getConfig } from '@testing-library/dom'

/**
 * A `getBy...` that finds nothing puts the whole page into its error. While `findBy...` and `waitFor` wait,
 * nobody reads that, and looks that fail in between cost as much as the screens themselves; the error with
 * which the wait ends has the page all the same.
 */
const held = globalThis as { hasBriefErrors?: boolean }
if (!held.hasBriefErrors) {
  const { getElementError } = getConfig()
  configure({
    getElementError: (message, container) => {
      const { _disableExpensiveErrorDiagnostics: isWaiting } = getConfig() as {
        _disableExpensiveErrorDiagnostics?: boolean
      }
      if (!isWaiting) return getElementError(message, container)
      return Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
    },
  })
}
held.hasBriefErrors = true
