import { dependenceEmails, isSamePerson, type UserAction } from '../../accounts/userActions.ts'
import type { Sql } from '../../db/db.ts'
import type { Email } from '../../mail/mailer.ts'
import { monthName, requireLock, type MonthLock } from '../../money/months.ts'

/*
 * Two people for the payouts of a month (payouts 12). With FOUR_EYES=off nothing of this is refused.
 *
 * - Who locked a month does not approve its run: `isLocker`. It may release what another person approved.
 * - Who changed what an agent is paid neither approves nor releases the entry that pays it: `changesBy`. The
 *   entry is held for this person, the others are paid, and another person approves it in a further run.
 * - Two accounts that may be of one person are reported and not refused: in the notes of the run (`runNotes`)
 *   and to the administrators (`fourEyesEmails`).
 */

/** The action by which a month was locked. */
export const lockingOf = ({ username, locked_at }: MonthLock): UserAction => ({ username, at: locked_at })

/** Whether the user of an action is the person who locked the month. */
export const isLocker = (sql: Sql, lock: MonthLock, action: UserAction): Promise<boolean> =>
  isSamePerson(sql, lockingOf(lock), action)

/**
 * The emails to administrators when who locked a month and who approved or released its payouts, `username`
 * now, may be one person (payouts 12); none when they are independent. `month` is an ISO first day.
 */
export async function fourEyesEmails(
  sql: Sql,
  { month, username }: { month: string; username: string },
  step: 'approved' | 'released',
): Promise<Email[]> {
  const lock = await requireLock(sql, month)
  const where = `the payouts of ${monthName(month)}`
  const what = `${lock.username} locked ${monthName(month)}, and ${username} ${step} its payouts`
  return dependenceEmails(sql, {
    where,
    what,
    first: [lockingOf(lock)],
    second: username,
  })
}

/**
 * The users who could approve a run of this lock: holders of the right, other than the person who locked it.
 */
export async function possibleApprovers(sql: Sql, lockedBy: string): Promise<string[]> {
  const rows = await sql.query<{ username: string }>(
    `select u.username from portal_user u left join master_agent a on a.id = u.masteragentid
      where u.username <> $1
        and (u.admin or 'lock_reports' = any (u.permissions)
          and (a.isofficeaccount or 'reports_admin' = any (u.permissions)))
      order by u.username`,
    [lockedBy],
  )
  return rows.map(({ username }) => username)
}
