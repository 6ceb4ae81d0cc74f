import { reportCalls } from '../../../schemas/api/reports.ts'
import { newJobId } from '../../parts/browser.ts'
import type { Call } from '../http.ts'

/** Milliseconds between two questions. */
const placeInterval = 500

type Watch = { call: Call; signal: AbortSignal; tell: (before: number | null) => void }

/**
 * Runs `work` under a new job, and reports how many begin before it while it waits for its turn (reports
 * 10): null when its turn has come. What cannot be learned does not disturb the work.
 */
export async function whileQueued<T>(
  { call, signal, tell }: Watch,
  work: (job: string) => Promise<T>,
): Promise<T> {
  const job = newJobId()
  let told: number | null = null
  const ask = async () => {
    const { phase, done } = await call(reportCalls.progress, { params: { job }, signal })
    const before = phase === 'waiting' ? done : null
    if (before !== told) tell((told = before))
  }
  const timer = setInterval(() => void ask().catch(() => {}), placeInterval)
  try {
    return await work(job)
  } finally {
    clearInterval(timer)
  }
}
