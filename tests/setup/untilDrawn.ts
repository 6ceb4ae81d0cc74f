import { createRequire } from 'node:module'

type Scheduler = {
  unstable_IdlePriority: number
  unstable_scheduleCallback(priority: number, run: () => void): unknown
}
/** The scheduler of React itself: react-dom takes it by `require`, so this must too. */
const scheduler = createRequire(import.meta.url)('scheduler') as Scheduler

/** Resolves when React has nothing left to do: a task of idle priority runs after all others. */
export const untilDrawn = () =>
  new Promise<void>((done) =>
    scheduler.unstable_scheduleCallback(scheduler.unstable_IdlePriority, () => done()),
  )
