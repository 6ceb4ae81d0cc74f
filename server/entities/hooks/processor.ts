import { countNoun, joinWithAnd } from '../../../schemas/wording.ts'
import type { Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import {
  lockProcessorNames,
  findKnown,
  isSameName,
  namesInLines,
  readKnownProcessors,
} from '../../processors/knownProcessors.ts'
import { nameTypedStatements } from '../../processors/typedStatements.ts'
import type { EntityHooks, EntityWrite } from './hook.ts'

/** In characters, as the name has (processors 2). */
const longestName = 60

const countedUnlessNone = (count: number, one: string, many?: string) =>
  count === 0 ? [] : [countNoun(count, one, many)]

/** What is stored under the name of a processor: '3 months of income and 1 statement'; '' for nothing. */
async function describeUse(tx: Tx, name: string): Promise<{ files: string; all: string }> {
  const [use] = await tx.query<{ months: number; statements: number; merchants: number }>(
    `select (select count(distinct month) from residual where processor = $1) as months,
      (select count(*) from processor_statement where processor = $1) as statements,
      (select count(*) from merchant where processor <> '' and processor_key(processor) = processor_key($1))
        as merchants`,
    [name],
  )
  const files = [
    ...countedUnlessNone(use!.months, 'month of income', 'months of income'),
    ...countedUnlessNone(use!.statements, 'statement'),
  ]
  const merchants = countedUnlessNone(use!.merchants, 'merchant')
  return { files: joinWithAnd(files), all: joinWithAnd([...files, ...merchants]) }
}

/** Throws an HttpError (422) for another name that is too long. */
function otherNames(text: string, ownName: string): string[] {
  const names = namesInLines(text).filter(
    (name, at, all) => !isSameName(name, ownName) && all.findIndex((one) => isSameName(one, name)) === at,
  )
  const long = names.find((name) => [...name].length > longestName)
  if (long === undefined) return names
  const message = `Other Names may have at most ${longestName} characters a line: ${long.slice(0, 30)}…`
  throw new HttpError(422, message, { fields: { othernames: message } })
}

/** Throws an HttpError (409) when another processor has one of these names. */
async function refuseTakenNames({ tx, row }: EntityWrite, name: string, others: string[]) {
  const known = (await readKnownProcessors(tx)).filter(({ id }) => id !== row?.id)
  for (const [field, text] of [['name', name], ...others.map((other) => ['othernames', other])] as const) {
    const taken = findKnown(known, text!)
    const message = taken && `${text} is a name of the processor ${taken.name} already`
    if (message) throw new HttpError(409, message, { fields: { [field!]: message } })
  }
}

export const processor: EntityHooks = {
  read: { since: `to_char(t.since, 'YYYY-MM')` },
  write: { since: (placeholder) => `(${placeholder}::text || '-01')::date` },
  async beforeWrite(write) {
    const { tx, body, row } = write
    await lockProcessorNames(tx)
    if (typeof body.name === 'string') body.name = body.name.trim()
    const name = String(body.name ?? row?.name)
    const others = otherNames(String(body.othernames ?? row?.othernames ?? ''), name)
    if ('othernames' in body) body.othernames = others.join('\n')
    await refuseTakenNames(write, name, others)
    if (!row || name === row.name) return
    const { files } = await describeUse(tx, String(row.name))
    const message = `The name cannot be changed: ${files} stand under it. Write the new one under Other Names`
    if (files) throw new HttpError(409, message, { fields: { name: message } })
  },
  afterWrite: ({ tx, caller: { username }, address }) => nameTypedStatements(tx, { username, address }),
  async beforeDelete({ tx, row }) {
    const { all } = await describeUse(tx, String(row.name))
    if (all) throw new HttpError(409, `This processor cannot be deleted: ${all} stand under its name`)
  },
}
