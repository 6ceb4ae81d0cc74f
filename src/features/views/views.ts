import type { decisionMachine } from '../../../machines/decision.machine.ts'
import type { loadMachine } from '../../../machines/load.machine.ts'

/** What the views of one list call, as src/api/provide/views.ts provides it. */
export type ViewMachines = {
  list: typeof loadMachine
  /** How many records each of them has. */
  counts: typeof loadMachine
  /** Stores this search under a name; `isShared` is called when the view is sent. */
  save: (search: string, isShared: () => boolean) => typeof decisionMachine
  remove: typeof decisionMachine
}

/** The parameters of an address that say where in the list one is, not what it lists. */
const places = new Set(['page', 'size', 'open'])

/** What an address lists, the same text for the same filters in any order. */
export function searchOf(params: URLSearchParams): string {
  const listed = new URLSearchParams([...params].filter(([name, value]) => !places.has(name) && value !== ''))
  listed.sort()
  return listed.toString()
}

/** The address of a view: its search in place of the former one; the size of the pages stays. */
export function addressOf(search: string, params: URLSearchParams): URLSearchParams {
  const address = new URLSearchParams(search)
  const size = params.get('size')
  if (size !== null) address.set('size', size)
  return address
}
