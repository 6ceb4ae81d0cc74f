import type { Db, Tx } from '../db/db.ts'
import type { Email, Log, Mailer } from './mailer.ts'

/** Sends emails after the call has been answered. */
export type BackgroundMailer = Pick<Mailer, 'sendInBackground'>

/**
 * Runs `work` in a transaction, and sends the emails that it collects once that is committed. An email that
 * cannot be sent is logged, and undoes nothing.
 */
export async function transactionWithEmails<T>(
  db: Db,
  mailer: BackgroundMailer,
  log: Log,
  work: (tx: Tx, emails: Email[]) => Promise<T>,
): Promise<T> {
  const emails: Email[] = []
  const result = await db.transaction((tx) => work(tx, emails))
  for (const email of emails) mailer.sendInBackground(email, log)
  return result
}
