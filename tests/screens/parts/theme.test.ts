import { expect, onTestFinished, test, vi } from 'vitest'
import { chooseTheme, startTheme, type Theme } from '../../../src/parts/theme.ts'

const shown = () => document.documentElement.dataset.theme

/** The theme as it is started while the system is light; the returned function turns that dark. */
const start = () => {
  const system = Object.assign(new EventTarget(), { matches: false })
  vi.spyOn(window, 'matchMedia').mockReturnValue(system as unknown as MediaQueryList)
  const stop = startTheme()
  onTestFinished(() => {
    vi.restoreAllMocks()
    chooseTheme('auto')
    stop()
    localStorage.clear()
  })
  return () => {
    system.matches = true
    system.dispatchEvent(new Event('change'))
  }
}

test.each<[Theme, before: string, after: string]>([
  ['auto', 'light', 'dark'],
  ['light', 'light', 'light'],
  ['dark', 'dark', 'dark'],
])('with the theme %s the portal is %s while the system is light, and %s once it is dark', (...row) => {
  const [theme, before, after] = row
  const turnDark = start()
  chooseTheme(theme)
  expect(shown()).toBe(before)
  turnDark()
  expect(shown()).toBe(after)
})

test('a theme that cannot be stored lasts until the page is closed', () => {
  start()
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  chooseTheme('dark')
  window.dispatchEvent(new StorageEvent('storage'))
  expect(shown()).toBe('dark')
})
