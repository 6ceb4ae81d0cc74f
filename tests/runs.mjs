/**
 * The vitest projects of `npm test`. The others, in vite.config.ts, belong to the long run: `npm run
 * test:paths`.
 */
export const shortRun = ['node', 'screens', 'walks', 'browser']
