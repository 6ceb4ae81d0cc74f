import { totalmem } from 'node:os'

/** Megabytes; more than the most holds what the lists and reports of a million merchants read. */
const [least, most] = [128, 2_048]

/** Bytes of memory that the machine has, or that its container may use. */
export const machineMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity)

/**
 * Megabytes of what PostgreSQL keeps of the tables in its own memory: an eighth of `memory` bytes, of which
 * it takes only what it fills (operations 2).
 */
export const cacheMegabytes = (memory: number): number =>
  Math.min(most, Math.max(least, Math.floor(memory / 8 / 2 ** 20)))
