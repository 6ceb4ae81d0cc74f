import { lookups, type LookupName, type LookupRow } from '../../../schemas/entities/lookups.ts'
import type { Db, Sql } from '../../db/db.ts'
import type { Handlers } from '../../http/call.ts'
import { binder, searchWords, wordPattern, type Bind } from '../condition.ts'
import { rowCounts } from '../rowCounts.ts'
import { labelText, quoteIdentifier, scopeCondition, statementFor } from '../sql.ts'
import { maxCollected } from './pages.ts'

/**
 * So many of the first records are looked through in their order: words that many of them have are found
 * there. Others are on so few that an index finds them all.
 */
const lookedThrough = 2_000
/** With so many of them matching, enough others will in the order of the records. */
const frequent = 20
/** Pieces of three characters are in the index. */
const indexedLength = 3
const readSizes = [10, 20, 50, 100]

/** GET /{name}/ids: the first records that match, for a picker (lists 11); `id` asks for one by its id. */
export const lookupHandler =
  (db: Db, name: LookupName): Handlers['ids'][LookupName] =>
  async ({ caller: { scope }, query: { search, id, size } }) => {
    // A number that is often asked for, so that the statements are few.
    const read = readSizes.find((it) => it >= size) ?? size
    const rows = await pickRows({ db, name, scope, words: searchWords(search), size: read }, id)
    return { data: rows.slice(0, size) }
  }

async function pickRows(pick: Pick, id?: number): Promise<LookupRow[]> {
  const { db, name, scope, words, size } = pick
  if (id !== undefined) return pickById(pick, id)
  const counts = rowCounts[name]
  if (!counts) return pickFrom(pick, 'followed')
  const isSmall = scope !== null && (await counts.total(db, scope)) <= maxCollected
  if (isSmall) return pickFrom(pick, 'collected')
  if (words.length === 0) return pickFrom(pick, 'followed')
  const { rows, seen } = await pickAmongFirst(pick)
  if (rows.length === size) return rows
  const isIndexed = words.some((word) => word.length >= indexedLength)
  return pickFrom(pick, isIndexed && seen < frequent ? 'found' : 'followed')
}

type Pick = { db: Sql; name: LookupName; scope: number[] | null; words: readonly string[]; size: number }

const fieldsOf = (name: LookupName) => ['id', ...lookups[name].fields]
const columnsOf = (name: LookupName) =>
  fieldsOf(name)
    .map((field) => `t.${quoteIdentifier(field)}`)
    .join(', ')
const orderOf = (name: LookupName) => `t.${quoteIdentifier(lookups[name].fields[0])}, t.id`

const wordsCondition = (label: string, words: readonly string[], bind: Bind) =>
  words.map((word) => ` and ${label} like ${wordPattern(word, bind)}`).join('')

function run({ db, scope }: Pick, sql: string, values: unknown[]) {
  return db.prepared<LookupRow>(statementFor(scope, sql), values)
}

function pickById(pick: Pick, id: number): Promise<LookupRow[]> {
  const values: unknown[] = [pick.scope, id]
  const { table, scope } = lookups[pick.name]
  const words = wordsCondition(labelText(pick.name, 't'), pick.words, binder(values))
  return run(
    pick,
    `select ${columnsOf(pick.name)} from ${quoteIdentifier(table)} t
      where ${scopeCondition(scope)} and t.id = $2${words}`,
    values,
  )
}

/**
 * The first of the matching records: 'followed' looks through all in their order until it has enough,
 * 'collected' reads all in the scope, 'found' all with the words, by an index, whatever their scope.
 */
function pickFrom(pick: Pick, how: 'followed' | 'collected' | 'found'): Promise<LookupRow[]> {
  const { name, words, size } = pick
  const { table, scope } = lookups[name]
  const values: unknown[] = [pick.scope]
  const [inScope, label] = [scopeCondition(scope), labelText(name, 't')]
  const first = `order by ${orderOf(name)} limit ${size}`
  const from = `from ${quoteIdentifier(table)} t`
  const having = (text: string) => wordsCondition(text, words, binder(values))
  const sql = {
    followed: () => `select ${columnsOf(name)} ${from} where ${inScope}${having(label)} ${first}`,
    // Of another text than that of the index, which would find the records of all scopes.
    collected: () => `with t as materialized (
        select ${columnsOf(name)} ${from} where ${inScope}${having(`(${label} || '')`)})
      select * from t ${first}`,
    found: () => `with t as materialized (select t.* ${from} where true${having(label)})
      select ${columnsOf(name)} from t where ${inScope} ${first}`,
  }
  return run(pick, sql[how](), values)
}

/** The matching records among the first ones of all, and how many of these match in any scope. */
async function pickAmongFirst(pick: Pick): Promise<{ rows: LookupRow[]; seen: number }> {
  const { db, name, words, size } = pick
  const { table, scope } = lookups[name]
  const values: unknown[] = [pick.scope]
  const condition = wordsCondition(labelText(name, 't'), words, binder(values))
  const sql = `with t as materialized (
      select * from (
        select * from ${quoteIdentifier(table)} t order by ${orderOf(name)} limit ${lookedThrough}) t
      where true${condition})
    select (select count(*) from t) as seen, array(
      select jsonb_build_object(${fieldsOf(name)
        .map((field) => `'${field}', t.${quoteIdentifier(field)}`)
        .join(', ')})
      from t where ${scopeCondition(scope)} order by ${orderOf(name)} limit ${size}) as rows`
  const [found] = await db.prepared<{ rows: LookupRow[]; seen: number }>(
    statementFor(pick.scope, sql),
    values,
  )
  return found!
}
