import { permissions, type Permission } from '../../schemas/permissions.ts'
import type { Oracle, Person } from './oracle.ts'

/**
 * Who is tried against the rules of an entity: every set of the permissions that matter to it, with none and
 * with all of the others, each of the others alone, and administrators with all and with nothing.
 */
export function peopleFor({ relevant }: Oracle): Person[] {
  const others = permissions.filter((name) => !relevant.includes(name))
  const subsets = Array.from({ length: 2 ** relevant.length }, (_, bits) =>
    relevant.filter((_, at) => bits & (1 << at)),
  )
  const sets: Permission[][] = [
    ...subsets.flatMap((set) => [set, [...set, ...others]]),
    ...others.map((name) => [name]),
  ]
  return [
    ...sets.map((given) => ({ admin: false, given })),
    { admin: true, given: [] },
    { admin: true, given: [...permissions] },
  ]
}
