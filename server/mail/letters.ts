import type { Db, Tx } from '../db/db.ts'
import type { Email, Log, Mailer } from './mailer.ts'

/** Sends letters after the call has been answered. */
export type Post = Pick<Mailer, 'sendInBackground'>

/**
 * Runs `work` in a transaction, and sends the letters that it collects once that is committed. A letter that
 * cannot be sent is logged, and undoes nothing.
 */
export async function transactionWithLetters<T>(
  db: Db,
  post: Post,
  log: Log,
  work: (tx: Tx, letters: Email[]) => Promise<T>,
): Promise<T> {
  const letters: Email[] = []
  const result = await db.transaction((tx) => work(tx, letters))
  for (const letter of letters) post.sendInBackground(letter, log)
  return result
}
