import type { BulkPreview } from '../../schemas/api/bulk/bulk.ts'
import type { Entity, Property, Row } from '../../schemas/entities/entity.ts'
import { valueText } from '../audit/words.ts'
import type { Changes } from '../entities/checks.ts'
import { monthName } from '../money/months.ts'
import type { Outcome } from './operations.ts'

/** How many groups of changes and of refusals a preview lists, and how many records of each (bulk 3). */
const listed = { changes: 20, refusals: 20, examples: 50 }

type Counted = Pick<BulkPreview, 'changed' | 'unchanged' | 'refused'>

export function countOutcomes(outcomes: readonly Outcome[]): Counted {
  const count = (...kinds: Outcome['is'][]) => outcomes.filter(({ is }) => kinds.includes(is)).length
  return { changed: count('changed', 'deleted'), unchanged: count('unchanged'), refused: count('refused') }
}

/** The value of a field as its form shows it; '' for none. */
export const fieldText = (property: Property | undefined, row: Row | null, field: string, value: unknown) =>
  property?.to && value === 0
    ? String(property.none ?? '')
    : valueText(value, property, () => row?.labels?.[field])

/** ' from October 2026' of a field that holds from a month, which is written with it; else ''. */
function fromMonth(properties: Entity['schema']['properties'], body: Changes, field: string): string {
  const month = Object.keys(body).find((name) => properties[name]?.sentWith?.includes(field))
  return month === undefined ? '' : ` from ${monthName(String(body[month]))}`
}

/** The most frequent groups first, and how many records are in those beyond. */
function largest<G extends { count: number }>(groups: Iterable<G>, most: number): [G[], number] {
  const sorted = [...groups].sort((a, b) => b.count - a.count)
  return [sorted.slice(0, most), sorted.slice(most).reduce((sum, { count }) => sum + count, 0)]
}

/** What a preview answers besides its fingerprint. */
export function summarise(entity: Entity, outcomes: readonly Outcome[]): Omit<BulkPreview, 'fingerprint'> {
  const changes = new Map<string, BulkPreview['changes'][number]>()
  const refusals = new Map<string, BulkPreview['refusals'][number]>()
  const { properties } = entity.schema
  for (const outcome of outcomes) {
    if (outcome.is === 'refused') {
      const { reason, id, name } = outcome
      const group = refusals.get(reason) ?? { reason, count: 0, examples: [] }
      group.count += 1
      if (group.examples.length < listed.examples) group.examples.push({ id, name })
      refusals.set(reason, group)
    }
    if (outcome.is !== 'changed') continue
    for (const field of Object.keys(outcome.body).filter((name) => !properties[name]?.writeOnly)) {
      const property = properties[field]
      const { before, after, body, heldBefore } = outcome
      const was = field in heldBefore ? heldBefore[field] : before[field]
      const [from, to] = [
        fieldText(property, before, field, was),
        fieldText(property, after, field, after[field]),
      ]
      const title = (property?.title ?? field) + fromMonth(properties, body, field)
      const key = JSON.stringify([field, from, to])
      const group = changes.get(key) ?? { field, title, from, to, count: 0 }
      group.count += 1
      changes.set(key, group)
    }
  }
  const [shownChanges, morechanges] = largest(changes.values(), listed.changes)
  const [shownRefusals, morerefused] = largest(refusals.values(), listed.refusals)
  return {
    ...countOutcomes(outcomes),
    changes: shownChanges,
    morechanges,
    refusals: shownRefusals,
    morerefused,
  }
}
