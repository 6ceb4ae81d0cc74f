import { startPortal } from './lifecycle.ts'

// A sentence for a person and exit code 1, whatever went wrong; nothing is left running.
await startPortal(process.env).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
