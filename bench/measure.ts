import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Contender, Figures } from './case.ts'
import { percentile } from './statistics.ts'

/** A clock tick of /proc in milliseconds. */
const tick = 10

const readProc = (path: string): string => {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    // The process has ended; what it used is in the times of its parent.
    return ''
  }
}

/** Milliseconds that the ended children of a process have used, from its line in /proc. */
function endedMillis(stat: string): number {
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
  return (Number(user) + Number(system)) * tick
}

const threadsOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Milliseconds a process and its children, living and ended, have used; 0 for one that has ended. */
function treeMillis(pid: number): number {
  const stat = readProc(`${pid}/stat`)
  if (stat === '') return 0
  let sum = endedMillis(stat)
  for (const thread of threadsOf(pid)) {
    sum += Number(readProc(`${pid}/task/${thread}/schedstat`).split(' ')[0]) / 1e6
    for (const child of readProc(`${pid}/task/${thread}/children`).split(' '))
      if (child.trim() !== '') sum += treeMillis(Number(child))
  }
  return sum
}

/**
 * Whose CPU counts: a process with its children, this process without any, or those of its children that have
 * ended.
 */
export type Root = number | 'self' | 'ended'

function rootMillis(root: Root): number {
  if (typeof root === 'number') return treeMillis(root)
  const { user, system } = process.cpuUsage()
  return root === 'self' ? (user + system) / 1000 : endedMillis(readProc('self/stat'))
}

/** Milliseconds of CPU that some processes have used so far (Linux). */
export const cpuMillis = (roots: readonly Root[]): number =>
  roots.reduce<number>((sum, root) => sum + rootMillis(root), 0)

/** Whether the CPU of other processes can be read here. */
export const canReadCpu = (): boolean => existsSync('/proc/self/schedstat')

/** Resident megabytes of a process. */
export const residentMb = (pid: number): number =>
  (Number(readProc(`${pid}/statm`).split(' ')[1] ?? 0) * 4096) / 1e6

/** Milliseconds that `work` takes. */
async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Calls that a contender has under way at a time. */
export const inFlight = 4

/**
 * Makes the call again and again for some milliseconds, alone first, then several at a time unless it
 * is slow.
 */
export async function sampleCalls(
  roots: readonly Root[],
  call: (lane: number) => Promise<unknown>,
  millis: number,
): Promise<Figures> {
  const times: number[] = []
  const [startCpu, start] = [cpuMillis(roots), performance.now()]
  const timed = async (lane: number) => void times.push(await measureTime(() => call(lane)))
  await timed(0)
  const repeat = async (lane: number) => {
    while (performance.now() - start < millis) await timed(lane)
  }
  const lanes = times[0]! < millis / 4 ? inFlight : 1
  await Promise.all(Array.from({ length: lanes }, (_, lane) => repeat(lane)))
  const elapsed = performance.now() - start
  return {
    cpu: (cpuMillis(roots) - startCpu) / times.length,
    rate: (times.length * 1000) / elapsed,
    p95: percentile(times, 0.95),
  }
}

/** Does the work once; `count` of what it does makes its rate. */
export async function sampleOnce(
  roots: readonly Root[],
  work: () => Promise<unknown>,
  count = 1,
): Promise<Figures> {
  const startCpu = cpuMillis(roots)
  const time = await measureTime(work)
  return { cpu: cpuMillis(roots) - startCpu, rate: (count * 1000) / time, time }
}

/** A contender that makes calls. */
export const calling = (
  name: string,
  roots: readonly Root[],
  call: (lane: number) => Promise<unknown>,
): Contender => ({ name, sample: (millis) => sampleCalls(roots, call, millis) })

/** Makes another call every five milliseconds while the work is done: how long they wait. */
export async function sampleWaits(
  other: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<Figures> {
  const times: number[] = []
  let isOver = false
  const calls = (async () => {
    while (!isOver) {
      times.push(await measureTime(other))
      await new Promise((next) => setTimeout(next, 5))
    }
  })()
  await work().finally(() => {
    isOver = true
  })
  await calls
  return { wait: Math.max(...times), waitP99: percentile(times, 0.99) }
}

/** By how many megabytes the process grows at most while the work is done. */
export async function sampleGrowth(pid: number, work: () => Promise<unknown>): Promise<Figures> {
  const before = residentMb(pid)
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMb(pid))
  }, 10)
  await work().finally(() => clearInterval(timer))
  return { growth: Math.max(peak, residentMb(pid)) - before }
}
