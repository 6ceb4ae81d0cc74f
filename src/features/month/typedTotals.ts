import type { TypedTotal } from '../../../machines/month.machine.ts'
import type { TypedStatement } from '../../../schemas/api/months/work.ts'

/** What stands in the row of a processor. */
export type Typed = { net: string; nofile: boolean }
export type Drafts = Readonly<Record<string, Typed>>

const amountPattern = /^-?\$?\d{1,3}(,?\d{3}){0,3}(\.\d{1,2})?$/

/** Dollars of '1,234.5', '-$20' or '(20.00)'; null for a blank, undefined for what is no amount. */
export const readAmount = (text: string): number | null | undefined => {
  const bare = text.trim()
  if (bare === '') return null
  const [, inner] = /^\((.+)\)$/.exec(bare) ?? []
  const sign = inner === undefined ? 1 : -1
  const amount = (inner ?? bare).replace(/\s/g, '')
  if (!amountPattern.test(amount) || (inner !== undefined && amount.startsWith('-'))) return undefined
  return sign * Number(amount.replaceAll(/[$,]/g, ''))
}

/** What is stored, as it stands in the row. */
export const typedOf = (stored: TypedStatement | undefined): Typed => ({
  net: stored?.statednet === null || stored === undefined ? '' : stored.statednet.toFixed(2),
  nofile: stored?.nofile ?? false,
})

const isSame = (draft: Typed, stored: TypedStatement | undefined) =>
  draft.nofile === (stored?.nofile ?? false) && readAmount(draft.net) === (stored?.statednet ?? null)

const storedOf = (statements: readonly TypedStatement[], processor: string) =>
  statements.find((it) => it.processor === processor)

/** The drafts that differ from what is stored. */
export const changedDrafts = (drafts: Drafts, statements: readonly TypedStatement[]): Drafts =>
  Object.fromEntries(
    Object.entries(drafts).filter(([processor, draft]) => !isSame(draft, storedOf(statements, processor))),
  )

/** The processors in whose rows no amount stands. */
export const faultyDrafts = (drafts: Drafts): string[] =>
  Object.keys(drafts).filter((processor) => readAmount(drafts[processor]!.net) === undefined)

/** The changed rows as they are saved. */
export const totalsOf = (drafts: Drafts, statements: readonly TypedStatement[]): TypedTotal[] =>
  Object.entries(drafts).map(([processor, { net, nofile }]) => {
    const stored = storedOf(statements, processor)
    return {
      processor,
      id: stored?.id ?? null,
      version: stored?.version ?? 0,
      statednet: readAmount(net) ?? null,
      nofile,
    }
  })
