import type { MonthView } from '../../../machines/month.machine.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import type { MonthMachine } from '../payouts/payouts.ts'

type LastView = { viewer: string; wanted: string | null; view: MonthView }

/** Of each machine, which a portal has one of, what was shown last; for whom, and under which address. */
const lastViews = new WeakMap<MonthMachine, LastView>()

/**
 * What this viewer saw last under an address. It is shown while the month is read again, which takes seconds
 * for a million merchants; undefined for another viewer, other rights or another month.
 */
export function lastViewOf(
  machine: MonthMachine,
  viewer: Viewer,
  wanted: string | null,
): MonthView | undefined {
  const last = lastViews.get(machine)
  return last?.wanted === wanted && last.viewer === JSON.stringify(viewer) ? last.view : undefined
}

/** Keeps what is shown for the next visit. */
export const keepLastView = (
  machine: MonthMachine,
  viewer: Viewer,
  { wanted, view }: Pick<LastView, 'wanted' | 'view'>,
): void => void lastViews.set(machine, { viewer: JSON.stringify(viewer), wanted, view })
