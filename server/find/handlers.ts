import type { FoundKind } from '../../schemas/api/find/find.ts'
import { canFind, findWords, foundPerKind, hasWords, minFindLength } from '../../schemas/api/find/findText.ts'
import { recordsTitle } from '../../schemas/entities/entity.ts'
import { entities } from '../../schemas/entities/index.ts'
import { ticketList } from '../../schemas/entities/ticket.ts'
import type { Db, Sql } from '../db/db.ts'
import type { Caller, Handlers } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { abortOnDisconnect } from '../http/fileResponse.ts'
import { reportsFor } from '../reports/handlers.ts'
import { listTickets } from '../tickets/find.ts'
import { findRecords, type SearchedKind } from './found.ts'

/** Milliseconds after which PostgreSQL stops the search of one kind; the others are answered all the same. */
const kindLimit = 1_000

type Search = { title: string; find: (sql: Sql) => Promise<SearchedKind> }

/** Finds records everywhere the caller may look: one answer, a few rows of each kind (everywhere 1). */
export const findHandlers = (db: Db): Handlers['find'] => ({
  async find({ caller, query: { q }, reply }) {
    if (!canFind(q))
      throw new HttpError(400, `Type a word of at least ${minFindLength} characters to find records`)
    const words = findWords(q)
    const signal = abortOnDisconnect(reply, 'The search was cancelled')
    const found: SearchedKind[] = []
    for (const search of searchesFor(caller, words)) {
      signal.throwIfAborted()
      found.push(await withinLimit(db, search))
    }
    const data = [...namedFirst(found), foundReports(caller, words)]
    return { data: data.filter(({ rows, slow }) => rows.length > 0 || slow) }
  },
})

/**
 * Kinds of which a name has the words come before those found by other texts alone, as the terminals of a
 * merchant by its name: the first of all rows is the one that Enter opens.
 */
const namedFirst = (found: readonly SearchedKind[]): FoundKind[] =>
  found
    .toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed))
    .map(({ title, rows, all, slow }) => ({ title, rows, all, slow }))

const searchesFor = (caller: Caller, words: readonly string[]): Search[] => [
  ...Object.values(entities)
    .filter((entity) => !entity.list.unsearched && entity.access.list(caller))
    .map((entity) => ({
      title: recordsTitle(entity),
      find: (sql: Sql) => findRecords(sql, entity, caller, words),
    })),
  ...(caller.email === null
    ? []
    : [{ title: ticketList.title, find: (sql: Sql) => findTickets(sql, caller, words) }]),
]

/** What was found of one kind, or that it took too long. */
async function withinLimit(db: Db, { title, find }: Search): Promise<SearchedKind> {
  try {
    return await db.transaction(async (tx) => {
      await tx.query(`select set_config('statement_timeout', $1, true)`, [String(kindLimit)])
      return find(tx)
    })
  } catch (error) {
    if ((error as { code?: string }).code !== '57014') throw error
    return { title, rows: [], all: '', slow: true, isNamed: false }
  }
}

async function findTickets(sql: Sql, caller: Caller, words: readonly string[]): Promise<SearchedKind> {
  const search = words.join(' ')
  const { data, total_length } = await listTickets(sql, caller, {
    page: 1,
    size: 10,
    search,
    sort: '',
    filter: '',
  })
  const { path, title } = ticketList
  return {
    title,
    rows: data
      .slice(0, foundPerKind)
      .map(({ id, subject }) => ({ text: `#${id} ${subject}`, to: `${path}?open=${id}` })),
    all: total_length > foundPerKind ? `${path}?${new URLSearchParams({ search })}` : '',
    slow: false,
    isNamed: data.some(({ id, subject }) => hasWords(`#${id} ${subject}`, words)),
  }
}

/** The reports this caller may run whose names have all words. */
function foundReports(caller: Caller, words: readonly string[]): FoundKind {
  const rows = reportsFor(caller)
    .filter(({ name }) => hasWords(name, words))
    .map(({ id, name }) => ({ text: name, to: `/reporting?${new URLSearchParams({ report: id })}` }))
  return { title: 'Reports', rows, all: '', slow: false }
}
