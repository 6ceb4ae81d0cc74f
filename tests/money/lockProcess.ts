import { createInterface } from 'node:readline'
import { openDb } from '../../server/db/db.ts'
import { HttpError } from '../../server/http/errors.ts'
import { lockMonth } from '../../server/money/lock.ts'
import { waive } from './book.ts'

/**
 * A process of its own that locks the month of each line it is given, and answers with a line: 'locked 3', or
 * the status and sentence of the refusal.
 */
const [url, username] = process.argv.slice(2) as [string, string]
const db = openDb(url, { max: 1 })
process.stdout.write('ready\n')
for await (const month of createInterface({ input: process.stdin })) {
  const said = await lockMonth(db, { month, username, address: '127.0.0.1', waive }).then(
    (lock) => `locked ${lock.version}`,
    (error: unknown) =>
      error instanceof HttpError ? `${error.status} ${error.message}` : `broken ${String(error)}`,
  )
  process.stdout.write(`${said}\n`)
}
await db.close()
