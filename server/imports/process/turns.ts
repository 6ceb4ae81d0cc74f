import { createLimiter } from '../../jobs/limiter.ts'

/**
 * Two files are read and stored at a time, and of each user one; the others wait without a connection to the
 * database (imports 24, operations 14).
 */
export const inImportTurn = createLimiter(2, 1)
