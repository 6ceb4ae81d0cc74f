import { startPortal } from './lifecycle.ts'

// Every failed start ends with a sentence for a person and exit code 1 (operations 5).
await startPortal(process.env).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
