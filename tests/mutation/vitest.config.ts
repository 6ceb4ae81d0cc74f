import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import whole from '../../vite.config.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The projects whose tests run the sources: tests in Chromium run a build, which contains no mutant. */
const projectNames = ['node', 'screens', 'walks']

type Project = { test?: { name?: unknown; setupFiles?: string | string[]; exclude?: string[] } }

/**
 * The tests of vite.config.ts with one worker and a time limit. Vite's cache stays in the copy of the project
 * that is tested.
 */
export default defineConfig(async (env) => {
  const given = await (typeof whole === 'function' ? whole(env) : whole)
  const projects = ((given.test?.projects ?? []) as Project[]).filter(({ test }) =>
    projectNames.includes(String(test?.name)),
  )
  return {
    ...given,
    cacheDir: at('../../dist/vite'),
    test: {
      ...given.test,
      maxWorkers: 1,
      projects: projects.map((project) => ({
        ...project,
        test: {
          ...project.test,
          setupFiles: [at('deadline.ts'), ...[project.test?.setupFiles ?? []].flat()],
          exclude: [...(project.test?.exclude ?? []), 'tests/mutation/**'],
        },
      })),
    } as object,
  }
})
