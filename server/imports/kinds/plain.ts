import type { Import } from '../../../schemas/imports/imports.ts'
import { faultsOf, type Faults } from '../store/faults.ts'
import type { Kind } from '../store/importKind.ts'
import { foreign, strangers, twice } from '../store/merchantChecks.ts'
import type { Step } from '../store/step.ts'
import { upsertOf } from '../store/upsert.ts'

/** Where blank cells keep what is stored, a record that is new must bring what is required. */
async function required(step: Step, it: Import, matches: string): Promise<Faults[]> {
  if (!it.keeps) return []
  const heads = it.columns.filter((column) => column.required && !it.key.includes(column.field))
  const key = it.columns.find(({ field }) => field === it.key.at(-1))!
  const found: Faults[] = []
  for (const { head, field } of heads)
    found.push(
      await faultsOf(
        step,
        head,
        `select s.row, s.${key.field} as value from staging s where s.${field} is null and not exists (select from ${it.table} m where ${matches})`,
        [],
        ({ value }) => `${head} is required: ${key.head} ${value} is new`,
      ),
    )
  return found
}

/** A kind that needs no more than its row: its records are told apart by its key and hang on a merchant by `xmid`. */
export function plain(it: Import, more: Partial<Kind> = {}): Kind {
  const upsert = upsertOf(it, { stamp: { batchid: '$1::int' } })
  return {
    it,
    upsert,
    parameters: ({ batch }) => [batch],
    check: async (step) => [
      await twice(step, it),
      await foreign(step),
      ...(await required(step, it, upsert.matches)),
    ],
    warn: strangers,
    ...more,
  }
}
