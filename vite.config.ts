import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { inspector } from './vite-plugins/inspector.ts'
import { rjsfValidators } from './vite-plugins/rjsf-validators.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** react-router ships a build without its development warnings, but its package.json offers only the other one. */
const quietRouter = [
  { find: /^react-router$/, replacement: at('node_modules/react-router/dist/production/index.mjs') },
  {
    find: /^react-router\/dom$/,
    replacement: at('node_modules/react-router/dist/production/dom-export.mjs'),
  },
]

const walks = 'tests/journeys/{models,faults}.*.test.tsx'

export default defineConfig(({ mode }) => ({
  root: at('src'),
  publicDir: at('src/public'),
  plugins: [react(), rjsfValidators(), inspector()],
  define: mode === 'production' ? { NODE_ENV: '"production"' } : {},
  resolve: {
    alias: [
      { find: /^markdown-to-jsx\/react$/, replacement: at('src/forms/markdown.ts') },
      // The one './fetch.js' of the page is axios' second way to send what it sends by XMLHttpRequest.
      { find: /^\.\/fetch\.js$/, replacement: at('src/api/noFetch.ts') },
      ...(mode === 'production' ? quietRouter : []),
    ],
  },
  optimizeDeps: { include: ['ajv/dist/runtime/ucs2length', 'ajv-formats/dist/formats'] },
  build: {
    outDir: at('dist/portal'),
    emptyOutDir: true,
    manifest: true,
    sourcemap: 'hidden',
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  // Not '/api' alone: the page's own files live in src/api.
  server: { proxy: { '^/api/v\\d': 'http://127.0.0.1:8080' } },
  test: {
    root: at('.'),
    // A busy machine is slow, not broken.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    reporters: ['default'],
    // Half of a browser's test waits for the browser, so two at a time keep two processors at work.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: at('tests/setup/postgres.ts'),
    // What a file of tests needs it makes, and takes away: only React's test library wants modules of its own in every file.
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          isolate: false,
          include: ['tests/{schemas,machines,server,inspector,paths}/**/*.test.ts', 'tests/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          environment: 'happy-dom',
          include: ['tests/src/**/*.test.{ts,tsx}', 'tests/journeys/*.test.{ts,tsx}'],
          exclude: [walks],
          setupFiles: [at('tests/setup/screen.ts')],
        },
      },
      // As people get it: React's development build takes most of a walk's time for messages nobody reads.
      {
        extends: true,
        oxc: { jsx: { development: false } },
        test: {
          name: 'walks',
          environment: 'happy-dom',
          isolate: false,
          include: [walks],
          env: { NODE_ENV: 'production' },
          setupFiles: [at('tests/setup/window.ts')],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          environment: 'node',
          isolate: false,
          include: ['tests/browser/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
}))
