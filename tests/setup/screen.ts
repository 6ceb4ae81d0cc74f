import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

afterEach(cleanup)

/** What browsers have and happy-dom lacks. */
class Unmoving {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= Unmoving as unknown as typeof ResizeObserver
globalThis.IntersectionObserver ??= Unmoving as unknown as typeof IntersectionObserver
Element.prototype.scrollIntoView ??= () => {}
