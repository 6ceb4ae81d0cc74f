import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Office } from './office.ts'

/**
 * Kills a portal with -9 and, `withDatabase`, its embedded database too, as when the machine's process table
 * is wiped.
 */
export async function killOffice({ portal, db }: Office, dataDir: string, withDatabase: boolean) {
  const pid = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  if (withDatabase) process.kill(pid, 'SIGKILL')
  portal.child.process.kill('SIGKILL')
  await portal.child.ended
  await db.close()
}
