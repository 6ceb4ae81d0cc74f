import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { changedWalksVariable } from './tests/runs/changedWalks.mjs'
import { SlowestFirst } from './tests/runs/slowestFirst.ts'
import { blueprintStyles } from './vite-plugins/blueprintStyles.ts'
import { stageOf } from './vite-plugins/chunks.ts'
import { inspector } from './vite-plugins/inspector.ts'
import { withoutDescriptions } from './vite-plugins/machineTexts.ts'
import { rjsfValidators } from './vite-plugins/rjsf-validators.ts'

/** Where the tests run: days that are worked out in the zone of the machine differ from those of UTC. */
if (process.env['VITEST']) process.env['TZ'] = 'America/New_York'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * The forms import a parser of Markdown that no text of the portal needs, 27 kB of brotli;
 * tests/build/aliases.test.ts fails when the packages move it (decision 17).
 */
const withoutMarkdown = { find: /^markdown-to-jsx\/react$/, replacement: at('src/stubs/markdown.ts') }

/**
 * The names of all of Blueprint's icons, 9 kB of brotli in the first load of every screen, by which icons are
 * found that are given as texts; ours are elements (decision 32).
 */
const withoutIconNames = {
  find: /^\.\/generated\/16px\/blueprint-icons-16$/,
  replacement: at('src/stubs/iconNames.ts'),
}

/** What the server of tests does at less cost than that of people. */
const serverSetup = ['readers', 'passwords', 'serializers'].map((name) => at(`tests/setup/${name}.ts`))

const nodeProject = (name: string, include: string[]): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    include,
    environment: 'node',
    isolate: false,
    setupFiles: serverSetup,
  },
})

const browserProject = (name: string, include: string[]): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include, environment: 'node', isolate: false, testTimeout: 120_000, hookTimeout: 120_000 },
})

/** With the production build of React, as people get it: the development build doubles the time of a walk. */
const walkProject = (
  name: string,
  include: string[],
  setupFiles: string[] = [],
): TestProjectInlineConfiguration => ({
  extends: true,
  oxc: { jsx: { development: false } },
  test: {
    name,
    include,
    environment: 'happy-dom',
    isolate: false,
    env: { NODE_ENV: 'production' },
    setupFiles: [at('tests/setup/window.ts'), ...setupFiles, ...serverSetup],
  },
})

export default defineConfig(({ mode }) => ({
  root: at('src'),
  publicDir: at('src/public'),
  plugins: [react(), rjsfValidators(), inspector(), withoutDescriptions()],
  define: mode === 'production' ? { NODE_ENV: '"production"' } : {},
  resolve: { alias: [withoutMarkdown, withoutIconNames] },
  css: { postcss: { plugins: [blueprintStyles()] } },
  optimizeDeps: { include: ['ajv/dist/runtime/ucs2length', 'ajv-formats/dist/formats'] },
  build: {
    outDir: at('dist/portal'),
    emptyOutDir: true,
    manifest: true,
    sourcemap: 'hidden',
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: stageOf(), includeDependenciesRecursively: false }] } },
    },
  },
  // Not '/api' alone: the page's own files live in src/api.
  server: { proxy: { '^/api/v\\d': `http://127.0.0.1:${process.env['PORT'] || 8080}` } },
  test: {
    root: at('.'),
    // A busy machine is slow, not broken.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    reporters: ['default'],
    globalSetup: at('tests/setup/postgres.ts'),
    sequence: { sequencer: SlowestFirst },
    // `npm test` runs node, screens, walks and browser (tests/runs/shortRun.mjs), `npm run test:paths` the generated tests of all projects.
    // A file makes what it needs and takes it away again, so files can share their modules.
    projects: [
      nodeProject('node', [
        'tests/{bench,build,schemas,machines,server,inspector,paths,mutation,adding,durability}/**/*.test.ts',
        'tests/*.test.ts',
        '!tests/server/**/*.long.test.ts',
      ]),
      nodeProject('kills', ['tests/server/**/*.long.test.ts']),
      nodeProject('machine-mutants', ['tests/machineMutants/*.test.ts']),
      browserProject('browser', [
        'tests/browser/**/!(*.long).test.ts',
        // In the project of the others, so that the same workers run them.
        ...(process.env[changedWalksVariable]?.split(',') ?? []),
      ]),
      browserProject('chromium-walks', [
        'tests/walks/chromium/**/*.test.ts',
        'tests/browser/**/*.long.test.ts',
      ]),
      walkProject(
        'walks',
        ['tests/walks/screens/**/*.test.tsx', 'tests/models/faults.test.ts', 'tests/journeys/*.test.tsx'],
        [at('tests/setup/journey.ts')],
      ),
      walkProject('faults', ['tests/faults/*.test.tsx']),
      {
        extends: true,
        test: {
          name: 'screens',
          environment: 'happy-dom',
          isolate: false,
          include: ['tests/screens/**/*.test.{ts,tsx}'],
          setupFiles: [at('tests/setup/screen.ts'), ...serverSetup],
        },
      },
    ],
  },
}))
