import { Worker } from 'node:worker_threads'

/**
 * Ends the worker at MUTANT_DEADLINE (in milliseconds since 1970). A thread of its own does it, because a
 * fault may leave the main thread in a loop that no timer interrupts.
 */
const deadline = Number(process.env['MUTANT_DEADLINE'])
const global = globalThis as { __deadline?: Worker }

if (deadline && !global.__deadline) {
  const end = `setTimeout(() => process.kill(${process.pid}, 'SIGKILL'), ${Math.max(0, deadline - Date.now())})`
  global.__deadline = new Worker(end, { eval: true })
  global.__deadline.unref()
}
