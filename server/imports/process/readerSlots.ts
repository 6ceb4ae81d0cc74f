/** Files read at a time; the others wait (imports 24). */
const maxReaders = 2
let running = 0
const queue: (() => void)[] = []

/** Resolves when a further file may be read, in the order of the calls. Throws the signal's reason. */
export async function acquireReaderSlot(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (running < maxReaders) {
    running += 1
    return
  }
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      queue.splice(queue.indexOf(start), 1)
      reject(signal.reason as Error)
    }
    const start = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    signal.addEventListener('abort', leave, { once: true })
    queue.push(start)
  })
}

/** Hands the slot to the call that has waited longest. */
export const releaseReaderSlot = () => {
  const start = queue.shift()
  if (start) start()
  else running -= 1
}
