import { afterEach, expect, test, vi } from 'vitest'
import config from '../../vite.config.ts'

afterEach(() => vi.unstubAllEnvs())

test.each([
  [undefined, 'http://127.0.0.1:8080'],
  ['', 'http://127.0.0.1:8080'],
  ['9123', 'http://127.0.0.1:9123'],
])('with PORT %j, the pages of npm run dev send their calls to %s', (port, target) => {
  vi.stubEnv('PORT', port)
  const { server } = config({ mode: 'development', command: 'serve' })
  expect(server?.proxy).toEqual({ '^/api/v\\d': target })
})
