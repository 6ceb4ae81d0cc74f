import { availableParallelism } from 'node:os'

/**
 * The vitest projects of `npm test`. The others, in vite.config.ts, belong to the long run: `npm run
 * test:paths`.
 */
export const shortRun = ['node', 'screens', 'walks', 'browser']

/**
 * Half of a browser's test waits for the browser, so three workers keep two processors busy. Said here and not
 * in vite.config.ts: what a project has there outweighs `--maxWorkers`.
 */
export const workers = (args) =>
  args.some((arg) => arg.startsWith('--maxWorkers'))
    ? []
    : [`--maxWorkers=${Math.max(3, availableParallelism() - 1)}`]
