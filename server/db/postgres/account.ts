import { spawnSync } from 'node:child_process'
import { chownSync, lchownSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Ids = { uid: number; gid: number }

/**
 * The operating system account that runs the server's programs. `wrap` answers the command line and spawn
 * options that run a program as that account; `giveOwnership` gives it a file, or a folder with all that is
 * in it.
 */
export type Account = {
  wrap(program: string, args: string[]): { command: string; args: string[]; ids: Partial<Ids> }
  giveOwnership(path: string): void
}

/**
 * The account for PostgreSQL, which refuses to run as root (operations 2): an ordinary user's own; for root,
 * the owner of the data, else `postgres` (created when missing), else `nobody`. `paths` are what that account
 * must reach. Throws an Error with a sentence for a person.
 */
export function serverAccount(data: string, paths: string[]): Account {
  if (process.getuid?.() !== 0)
    return { wrap: (command, args) => ({ command, args, ids: {} }), giveOwnership() {} }
  const { uid, gid } =
    ownerOf(data) ??
    accountNamed('postgres') ??
    createAccount() ??
    accountNamed('nobody') ??
    failAsRoot('there is no account to run it as')
  const giveOwnership = (path: string) => changeOwner(path, uid, gid)
  if (paths.every((path) => canReach(path, uid)))
    return { wrap: (command, args) => ({ command, args, ids: { uid, gid } }), giveOwnership }

  // A folder above one of the paths is closed to that account (a clone in /root, say): the program keeps
  // root's right to pass folders, and no other.
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => statOrNull(path))
  if (!setpriv) {
    const closed = paths.find((path) => !canReach(path, uid))
    failAsRoot(
      `the account ${uid} may not pass to ${closed} and the program setpriv is missing; ` +
        'open the folders above it with chmod a+x',
    )
  }
  // Without no_setuid_fixup, access(2), by which initdb looks for postgres, ignores that right.
  const capabilities = [
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--securebits=+no_setuid_fixup',
  ]
  const options = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capabilities]
  return {
    wrap: (program, args) => ({ command: setpriv!, args: [...options, '--', program, ...args], ids: {} }),
    giveOwnership,
  }
}

const failAsRoot = (why: string): never => {
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

/** Whether `uid` reaches this path: every folder above it lets anybody pass, or is its own. */
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
