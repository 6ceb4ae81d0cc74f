import { spawnSync } from 'node:child_process'
import { chownSync, lchownSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Ids = { uid: number; gid: number }

/** Who runs the server's programs, and how: `as` wraps a command line, `own` gives a file or folder with all in it to that account. */
export type Account = {
  wrap(program: string, args: string[]): { command: string; args: string[]; ids: Partial<Ids> }
  giveOwnership(path: string): void
}

/**
 * The account for PostgreSQL, which refuses to run as root. An ordinary user runs it as himself; root hands it to whom the data
 * already belong to, else to `postgres` (made when missing), else to `nobody`. `paths` are what that account must reach.
 */
export function serverAccount(data: string, paths: string[]): Account {
  if (process.getuid?.() !== 0)
    return { wrap: (command, args) => ({ command, args, ids: {} }), giveOwnership() {} }
  const { uid, gid } =
    ownerOf(data) ??
    accountNamed('postgres') ??
    createAccount() ??
    accountNamed('nobody') ??
    fail('there is no account to run it as')
  const own = (path: string) => changeOwner(path, uid, gid)
  if (paths.every((path) => canReach(path, uid)))
    return { wrap: (command, args) => ({ command, args, ids: { uid, gid } }), giveOwnership: own }

  // A folder above is closed to that account (a clone in /root, say): it keeps root's right to pass, and nothing else of root's.
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => statOrNull(path))
  if (!setpriv) {
    const closed = paths.find((path) => !canReach(path, uid))
    fail(
      `the account ${uid} may not pass to ${closed} and the program setpriv is missing; open the folders above it with chmod a+x`,
    )
  }
  // no_setuid_fixup: without it access(2), by which initdb looks for postgres, does not count that right.
  const rights = [
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--securebits=+no_setuid_fixup',
  ]
  const limits = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...rights]
  return {
    wrap: (program, args) => ({ command: setpriv!, args: [...limits, '--', program, ...args], ids: {} }),
    giveOwnership: own,
  }
}

const fail = (why: string): never => {
  throw new Error(
    `PostgreSQL does not run as root, and ${why}: start the portal as an ordinary user, or set DATABASE_URL`,
  )
}

const statOrNull = (path: string) => statSync(path, { throwIfNoEntry: false })

function ownerOf(path: string): Ids | null {
  const found = statOrNull(path)
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null
}

function accountNamed(name: string): Ids | null {
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number.parseInt(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout ?? '', 10),
  )
  return uid && gid !== undefined && !Number.isNaN(gid) ? { uid, gid } : null
}

function createAccount(): Ids | null {
  spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
    'postgres',
  ])
  return accountNamed('postgres')
}

/** Whether `uid` reaches this path: every folder above it lets strangers pass, or is its own. */
function canReach(path: string, uid: number): boolean {
  for (let at = realpathSync(path); ; at = dirname(at)) {
    const { mode, uid: owner } = statSync(at)
    if (!(mode & 0o001) && !(owner === uid && mode & 0o100)) return false
    if (at === dirname(at)) return true
  }
}

function changeOwner(path: string, uid: number, gid: number) {
  if (statOrNull(path)?.uid !== uid) chownSync(path, uid, gid)
  if (!statOrNull(path)?.isDirectory()) return
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    lchownSync(join(entry.parentPath, entry.name), uid, gid)
}
