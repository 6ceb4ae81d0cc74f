import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import * as React from 'react'
import { afterEach, beforeEach } from 'vitest'
import './briefErrors.ts'
import './window.ts'

// What a busy machine takes long over still comes; what never comes fails all the same.
configure({ asyncUtilTimeout: 8_000 })
afterEach(cleanup)
// No test begins with a draft of the one before. Here, for a module that files share runs its hooks in the
// first of them alone.
beforeEach(() => sessionStorage.clear())

// The development build of React keeps a stack trace of each of the first 10,000 elements of a second, for
// its warnings. It counts here, and is told that they are kept already: the traces take a quarter of the time
// of a test of forms.
const internals = Object.entries(React).find(([name]) => name.startsWith('__CLIENT_INTERNALS'))?.[1] as object
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => 10_000,
  set: () => {},
  configurable: true,
})
