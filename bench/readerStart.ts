/**
 * How long all others wait while a process that reads a file is started, by the memory of the portal: by the
 * portal itself, and by its launcher. `npx tsx bench/readerStart.ts`; READER names a built reader.
 */
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { prepareReaders, startReader, type ReaderProcess } from '../server/imports/process/launch.ts'
import { median } from './support.ts'

const rounds = 9
const held: Buffer[] = []

/** The longest wait while `work` runs, in milliseconds. */
async function wait(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await new Promise((resolve) => setTimeout(resolve, 20))
  await work()
  await new Promise((resolve) => setTimeout(resolve, 20))
  delay.disable()
  return delay.max / 1e6
}
/** Starts a reader; it is killed when its wait was measured. */
async function start(): Promise<number> {
  let reader: ReaderProcess | undefined
  const found = await wait(async () => (reader = await startReader([])))
  const exit = once(reader as never, 'exit')
  reader!.kill('SIGKILL')
  await exit
  return found
}
const nothing = () => wait(() => new Promise((resolve) => setTimeout(resolve, 20)))
const middle = async (measure: () => Promise<number>) => {
  const found = []
  for (let round = 0; round <= rounds; round += 1) found.push(await measure())
  return median(found.slice(1)).toFixed(0)
}

const sizes = [0, 300, 700]
/** Runs `measure` at each size, in megabytes. */
async function atSizes(measure: () => Promise<number>) {
  held.length = 0
  const found = []
  for (const megabytes of sizes) {
    while (held.length * 10 < megabytes) held.push(Buffer.alloc(10_000_000, 1))
    found.push(await middle(measure))
  }
  return found
}
const without = await atSizes(nothing)
const direct = await atSizes(start)
held.length = 0
const launcher = prepareReaders({ fromSource: true })
const launched = await atSizes(start)
launcher?.end()
for (const [at, megabytes] of sizes.entries())
  console.log(
    `${megabytes} MB more: nothing started ${without[at]} ms, by the portal itself ${direct[at]} ms, ` +
      `by the launcher ${launched[at]} ms`,
  )
