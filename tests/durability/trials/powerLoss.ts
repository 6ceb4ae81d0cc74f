import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processesIn } from '../../../server/db/postgres/process.ts'
import { snapshotHash } from '../../../server/money/snapshot.ts'
import { endChildren } from '../../fixtures/children.ts'
import { diskFolder } from '../../fixtures/folders.ts'
import { importMerchants } from '../../fixtures/imports.ts'
import { comesTrue, expectThat, newOutcome, type Fault } from '../fault.ts'
import {
  fillOffice,
  firstDay,
  foundOf,
  halfMerchants,
  lockNow,
  reopenNow,
  startOffice,
  startWriters,
  stopOffice,
  type Office,
} from '../office.ts'

/** Runs a program of the system; throws an Error with what it said. */
function system(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
}

/** A file with an ext4 file system in it, mounted as a disk. */
function makeDisk(folder: string) {
  const [image, copy, mount] = ['disk.img', 'copy.img', 'disk'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  system('truncate', '-s', '1G', image)
  system('mkfs.ext4', '-q', '-F', image)
  mkdirSync(mount)
  const attach = () => {
    system('mount', '-o', 'loop', image, mount)
    chmodSync(mount, 0o755)
  }
  const detach = async () => {
    const isFree = await comesTrue(() => spawnSync('umount', [mount]).status === 0, 20_000)
    if (!isFree) throw new Error(`${mount} stays in use`)
  }
  attach()
  return {
    data: join(mount, 'data'),
    detach,
    /**
     * Copies the image as it is: without what the mounted file system holds in memory. Everything that
     * writes to the disk stands still; what the kernel itself writes meanwhile changes the time of the file,
     * and then it is copied again.
     */
    copy() {
      for (;;) {
        const before = statSync(image, { bigint: true }).mtimeNs
        system('cp', '--sparse=always', image, copy)
        if (statSync(image, { bigint: true }).mtimeNs === before) return
      }
    },
    /** Goes on with the copy, as a machine does with its disk when the power is back. */
    async replace() {
      await detach()
      rmSync(image)
      renameSync(copy, image)
      attach()
    },
  }
}

const signal = (pids: number[], name: NodeJS.Signals) => {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // A connection that has ended meanwhile.
    }
}

/** Locks the month and opens it again until the power goes; answers the hashes that were answered. */
async function lockAndReopen(office: Office, isOver: () => boolean): Promise<string[]> {
  const hashes: string[] = []
  while (!isOver()) {
    const lock = await lockNow(office)
    if (lock?.status !== 200) break
    hashes.push(String(lock.body['hash']))
    if ((await reopenNow(office))?.status !== 200) break
  }
  return hashes
}

/** Which of these locks are there, their copies as their hashes say. */
async function foundLocks({ db }: Office, hashes: string[]): Promise<number> {
  const locks = await db.query<{ id: number; hash: string }>(
    'select id, hash from month_lock where month = $1',
    [firstDay],
  )
  const whole: string[] = []
  for (const { id, hash } of locks) if ((await snapshotHash(db, id)) === hash) whole.push(hash)
  return hashes.filter((hash) => whole.includes(hash)).length
}

/** Rows of an imported file; each file of a round is stored whole or not at all. */
const rows = 500
async function importUntil(office: Office, round: number, isOver: () => boolean): Promise<number> {
  let answered = 0
  for (let number = 0; !isOver(); number++) {
    const reply = await importMerchants(office.portal, rows, round * 1_000 + number)
    if (reply?.status !== 200) break
    answered++
  }
  return answered
}
const importsIn = async ({ db }: Office) => {
  const [row] = await db.query<{ batches: number; merchants: number }>(
    `select (select count(*) from import_batch where kind = 'merchant') as batches,
      (select count(*) from merchant where id > 100000 and xmid not like '9%') as merchants`,
  )
  return row!
}

export const powerLoss: Fault = {
  name: 'power',
  what: 'power loss in mid-write: the disk image is copied without the writes that have not reached it',
  rounds: 15,
  missing: () =>
    process.getuid?.() === 0 && existsSync('/dev/loop-control') && spawnSync('mkfs.ext4', ['-V']).status === 0
      ? null
      : 'needs root and loop devices',
  async run(_, rounds) {
    const outcome = newOutcome()
    const disk = makeDisk(diskFolder())
    try {
      let office = await startOffice(disk.data)
      await fillOffice(office.db, 5, 20)
      const kept: string[] = []
      for (let round = 0; round < rounds; round++) {
        let isOver = false
        const stored = await importsIn(office)
        const writers = startWriters(office, round)
        const locking = lockAndReopen(office, () => isOver)
        const importing = importUntil(office, round, () => isOver)
        await writers.reached(30)
        await sleep((round * 97) % 500)
        const pids = [office.portal.child.process.pid!, ...processesIn(join(disk.data, 'postgres'))]
        signal(pids, 'SIGSTOP')
        isOver = true
        try {
          disk.copy()
        } finally {
          signal(pids, 'SIGKILL')
        }
        await office.portal.child.ended
        await office.db.close()
        const [hashes, answered] = await Promise.all([locking, importing, writers.stop()])
        await disk.replace()
        office = await startOffice(disk.data)
        kept.push(...writers.acknowledged)
        const now = await importsIn(office)
        const imported = now.batches - stored.batches
        outcome.tried++
        outcome.acknowledged += hashes.length + answered
        outcome.found += (await foundLocks(office, hashes)) + Math.min(imported, answered)
        outcome.half += now.merchants === now.batches * rows ? 0 : 1
        // Open in the next round again, whether the power went before or after a lock.
        await reopenNow(office)
      }
      outcome.acknowledged += kept.length
      outcome.found += await foundOf(office.db, kept)
      outcome.half += await halfMerchants(office.db)
      expectThat(outcome, (await lockNow(office))?.status === 200, 'the month cannot be locked afterwards')
      await stopOffice(office)
    } finally {
      await endChildren()
      await disk.detach()
    }
    return outcome
  },
}
