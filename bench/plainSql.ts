import { accountStatuses } from '../schemas/entities/merchant.ts'
import type { Statement } from './peers/statement.ts'

/** What a list of merchants is asked for, without the words of the portal. */
export type Asked = {
  /** The agents whose merchants are seen; null for all. */
  scope?: number[] | null
  /** One word. */
  word?: string
  /** '{field}' or '-{field}'. */
  sort?: string
  accountstatus?: number
  page?: number
  size?: number
}

/** Turns a page of a list into its LIMIT. */
const limitOf = ({ page = 1, size = 10 }: Asked) => `limit ${size} offset ${(page - 1) * size}`

const orderOf = (sort: string) => {
  const field = sort.replace(/^-/, '')
  const expression = field === 'masteragentid' ? 'a.displayid' : `t.${field}`
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  return sort === '' ? 't.id' : `${expression} ${direction} nulls last, t.id ${direction}`
}

/** The conditions but the word; `$1` is the word, `$2` the scope. */
const conditionOf = ({ scope, accountstatus }: Asked) =>
  [
    scope && 't.masteragentid = any ($2::int[])',
    accountstatus !== undefined && `t.accountstatus = ${accountstatus}`,
  ].filter((part) => typeof part === 'string')

const statusWords = accountStatuses.map(({ const: code, title }) => `when ${code} then '${title}'`).join(' ')
/** The rows whose shown texts have the word, row by row, by no index and no column made for searches. */
const hasWord = `(concat_ws(E'\\n', t.xmid, t.dba, t.businesstype, t.product, t.status, t.sales_rep,
    t.tinstatus, t.notes, a.displayid, a.name,
    case t.accountstatus ${statusWords} end) ilike '%' || $1 || '%')`

/**
 * The ids of a page of merchants in their order, and how many there are, worked out row by row: what the
 * portal has to answer. Takes `[word, scope]`.
 */
export function expectedMerchants(asked: Asked): { ids: string; count: string; values: unknown[] } {
  const parts = [...conditionOf(asked), ...(asked.word ? [hasWord] : [])]
  // Both values are named, so that PostgreSQL finds their types where a list takes neither.
  const from = `from merchant t join master_agent a on a.id = t.masteragentid
    where ${['($1::text is null or true)', '($2::int[] is null or true)', ...parts].join(' and ')}`
  return {
    ids: `select t.id ${from} order by ${orderOf(asked.sort ?? '')} ${limitOf(asked)}`,
    count: `select count(*) as n ${from}`,
    values: [asked.word ?? null, asked.scope ?? null],
  }
}

/** The ids of a picker in their order: the first 20 by their MID or by their number. */
export const expectedPicks = (table: 'merchant' | 'master_agent') => {
  const [first, second, agent] =
    table === 'merchant' ? ['xmid', 'dba', 'masteragentid'] : ['displayid', 'name', 'id']
  return `select id from ${table}
    where (${first} ilike '%' || $1 || '%' or ${second} ilike '%' || $1 || '%')
      and ($2::int[] is null or ${agent} = any ($2)) order by ${first}, id limit 20`
}

/**
 * A list of merchants as one would write it by hand, with the index for texts that is there: the page, the
 * names of its agents, and the total unless `isCounted` is false. Takes `[word pattern]` and `[scope]` as far
 * as they are asked for.
 */
export function plainMerchants(
  asked: Asked,
  isCounted = true,
): { statement: Statement; values: () => unknown[] } {
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const parts = [
    asked.word && `t.searched like ${bind(`%${asked.word.toLowerCase()}%`)}`,
    asked.scope && `t.masteragentid = any (${bind(asked.scope)}::int[])`,
    asked.accountstatus !== undefined && `t.accountstatus = ${asked.accountstatus}`,
  ].filter((part) => typeof part === 'string' && part !== '')
  const where = parts.length > 0 ? `where ${parts.join(' and ')}` : ''
  const isByAgent = asked.sort?.endsWith('masteragentid') ?? false
  const ordering = isByAgent ? 'join master_agent a on a.id = t.masteragentid' : ''
  const rows = `
    select t.*, a.displayid || ' - ' || a.name as agent
    from (select t.* from merchant t ${ordering} ${where}
      order by ${orderOf(asked.sort ?? '')} ${limitOf(asked)}) t
      join master_agent a on a.id = t.masteragentid`
  const count = `select count(*) as n from merchant t ${where}`
  return {
    statement: isCounted ? { rows, count, countValues: values.length } : { rows },
    values: () => values,
  }
}

/** What the portal is asked for a list. */
export function listAddress({ word, sort, accountstatus, page = 1, size = 10 }: Asked): string {
  const query = new URLSearchParams({ page: String(page), size: String(size) })
  if (word) query.set('search', word)
  if (sort) query.set('sort', sort)
  if (accountstatus !== undefined) query.set('filter', `accountstatus:${accountstatus}`)
  return `/api/v1/merchant?${query.toString()}`
}
