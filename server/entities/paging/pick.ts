import { escapeIdentifier } from 'pg'
import { lookups, type LookupName, type LookupRow } from '../../../schemas/entities/lookups.ts'
import type { Db, Sql } from '../../db/db.ts'
import type { Handlers } from '../../http/call.ts'
import { binder, hasWord, searchWords, type Bind } from '../condition.ts'
import { rowCounts } from '../rowCounts.ts'
import { labelText, scopeCondition, statementFor } from '../sql.ts'
import { maxCollected } from './pages.ts'

/**
 * How many of the first records are searched in their order before an index is asked: words that many records
 * have are found among them, and rarer ones are in so few that the index finds them all.
 */
const searchedFirst = 500
/** If so many of the first records match, a search in the order of the records soon has enough. */
const frequent = 5
/** The trigram index finds a word only by three letters or digits in a row. */
const indexedPiece = /[\p{L}\p{N}]{3}/u
const readSizes = [10, 20, 50, 100]

/** GET /{name}/ids: the first records that match, for a picker (lists 11); `id` asks for one by its id. */
export const lookupHandler =
  (db: Db, name: LookupName): Handlers['ids'][LookupName] =>
  async ({ caller: { scope }, query: { search, id, size } }) => {
    // Rounded up to one of a few sizes, because each size is a prepared statement of its own (decision 30).
    const read = readSizes.find((it) => it >= size) ?? size
    const rows = await pickRows({ db, name, scope, words: searchWords(search), size: read }, id)
    return { data: rows.slice(0, size) }
  }

async function pickRows(pick: Pick, id?: number): Promise<LookupRow[]> {
  const { db, name, scope, words, size } = pick
  if (id !== undefined) return pickById(pick, id)
  const counts = rowCounts[name]
  if (!counts) return pickFrom(pick, 'followed')
  const isSmall = scope !== null && (await counts.total(db, scope)).n <= maxCollected
  if (isSmall) return pickFrom(pick, 'collected')
  if (words.length === 0) return pickFrom(pick, 'followed')
  const first = await pickAmong(pick, `order by ${orderOf(name)} limit ${searchedFirst}`)
  if (first.rows.length === size) return first.rows
  const isIndexed = words.some((word) => indexedPiece.test(word))
  if (!isIndexed || first.seen >= frequent) return pickFrom(pick, 'followed')
  const found = await pickFound(pick)
  return found.seen > maxCollected ? pickFrom(pick, 'followed') : found.rows
}

type Pick = { db: Sql; name: LookupName; scope: number[] | null; words: readonly string[]; size: number }

const fieldsOf = (name: LookupName) => ['id', ...lookups[name].fields]
const columnsOf = (name: LookupName) =>
  fieldsOf(name)
    .map((field) => `t.${escapeIdentifier(field)}`)
    .join(', ')
const orderOf = (name: LookupName) => `t.${escapeIdentifier(lookups[name].fields[0])}, t.id`

const wordsCondition = (label: string, words: readonly string[], bind: Bind) =>
  words.map((word) => ` and ${hasWord(label, word, bind)}`).join('')

function run({ db, scope }: Pick, sql: string, values: unknown[]) {
  return db.prepared<LookupRow>(statementFor(scope, sql), values)
}

function pickById(pick: Pick, id: number): Promise<LookupRow[]> {
  const values: unknown[] = [pick.scope, id]
  const { table, scope } = lookups[pick.name]
  const words = wordsCondition(labelText(pick.name, 't'), pick.words, binder(values))
  return run(
    pick,
    `select ${columnsOf(pick.name)} from ${escapeIdentifier(table)} t
      where ${scopeCondition(scope)} and t.id = $2${words}`,
    values,
  )
}

/**
 * The first of the matching records: 'followed' looks through all in their order until it has enough,
 * 'collected' reads all in the scope.
 */
function pickFrom(pick: Pick, how: 'followed' | 'collected'): Promise<LookupRow[]> {
  const { name, words, size } = pick
  const { table, scope } = lookups[name]
  const values: unknown[] = [pick.scope]
  const label = labelText(name, 't')
  const first = `order by ${orderOf(name)} limit ${size}`
  const matching = (text: string) => `select ${columnsOf(name)} from ${escapeIdentifier(table)} t
    where ${scopeCondition(scope)}${wordsCondition(text, words, binder(values))}`
  const sql =
    how === 'followed'
      ? `${matching(label)} ${first}`
      : // Another text than that of the index, which would find the records of all scopes.
        `with t as materialized (${matching(`(${label} || '')`)}) select * from t ${first}`
  return run(pick, sql, values)
}

type Found = { rows: LookupRow[]; seen: number }

/** The first in the scope among the records of `matching`, as t, and how many these are in any scope. */
async function firstOf({ db, name, scope, size }: Pick, matching: string, values: unknown[]): Promise<Found> {
  const fields = fieldsOf(name).map((field) => `'${field}', t.${escapeIdentifier(field)}`)
  const sql = `with t as materialized (${matching})
    select (select count(*) from t) as seen, array(
      select jsonb_build_object(${fields.join(', ')}) from t
      where ${scopeCondition(lookups[name].scope)} order by ${orderOf(name)} limit ${size}) as rows`
  const [found] = await db.prepared<Found>(statementFor(scope, sql), values)
  return found!
}

/** Those of a part of all records that have the words; `part` says which. */
function pickAmong(pick: Pick, part: string): Promise<Found> {
  const { name, words, scope } = pick
  const values: unknown[] = [scope]
  const condition = wordsCondition(labelText(name, 't'), words, binder(values))
  const table = escapeIdentifier(lookups[name].table)
  return firstOf(pick, `select * from (select * from ${table} t ${part}) t where true${condition}`, values)
}

/**
 * Those that an index finds, whatever their scope; more than `maxCollected` are not all of them. The words
 * are those of a subquery, which PostgreSQL does not look into: for each word that it sees it would plan the
 * statement again, which takes as long as to run it.
 */
function pickFound(pick: Pick): Promise<Found> {
  const { name, words, scope } = pick
  const values: unknown[] = [scope]
  const bind = binder(values)
  const hidden: Bind = (value) => `(select ${bind(value)}::text)`
  const condition = wordsCondition(labelText(name, 't'), words, hidden)
  const table = escapeIdentifier(lookups[name].table)
  return firstOf(pick, `select * from ${table} t where true${condition} limit ${maxCollected + 1}`, values)
}
