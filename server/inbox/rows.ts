import type { InboxAnswers } from '../../schemas/api/inbox/answers.ts'
import type { InboxAsks, InboxFaults, InboxFile, InboxState } from '../../schemas/api/inbox/inbox.ts'
import type { ImportName, Preview, Repeated } from '../../schemas/imports/imports.ts'
import { audit } from '../db/audit.ts'
import type { Db, Sql, Tx } from '../db/db.ts'
import type { Caller } from '../http/call.ts'
import { notFound } from '../http/errors.ts'

/** Whose rights decide what is seen of the inbox. */
export type InboxViewer = Pick<Caller, 'userid' | 'scope'>

/** Seconds after which a claim that was not renewed has run out (inbox 6). */
export const claimSeconds = 30
export const isClaimed = `f.claim is not null and f.claimed_at > now() - interval '${claimSeconds} seconds'`
/** The states in which a file waits. */
export const isWaiting = `f.state not in ('imported', 'dismissed')`

/** A user who does not see all master agents sees their own files alone; $1 is the scope, $2 the user. */
export const isVisible = `($1::int[] is null or (f.source = 'upload' and f.userid = $2::int))`
export const visibleTo = ({ scope, userid }: InboxViewer) => [scope, userid] as const

/**
 * A check reads a file with the rights of the person who checked it, so somebody who sees one branch is shown
 * the result of their own check alone (inbox 9).
 */
const isOwnCheck = `($1::int[] is null or f.checkedby = $2::int)`
const found = (column: string) => `case when ${isOwnCheck} then f.${column} end as ${column}`

/** A dismissed file with a batch ended because the file of the batch was imported in its place (inbox 12). */
const isReplaced = `f.state = 'dismissed' and b.id is not null`
const shownNote = `case when ${isReplaced}
    then concat_ws(' ', f.note, b.filename || ' was imported in its place' ||
      case when b.undone_at is null then '.' else ', and that import was undone.' end)
    else f.note end as note`

const shownState = `case
    when ${isClaimed} then case f.claimfor when 'import' then 'importing' else 'checking' end
    when f.state = 'imported' and b.undone_at is not null then 'undone'
    when ${isReplaced} then 'replaced'
    when f.outgrown and ${isWaiting} then 'outgrown'
    when ${isWaiting} and not ${isOwnCheck} then 'waiting'
    else f.state end`

/** The columns of an InboxFile, read from `fileTables`. */
const fileColumns = `f.id, f.filename, f.sha256, f.size, f.source, f.username,
  floor(extract(epoch from f.received_at))::bigint as receivedat, ${shownState} as state,
  ${found('kind')}, ${found('month')}, ${found('processor')}, f.answers->>'date' as date,
  ${found('asks')}, f.answers, ${found('preview')}, ${found('faults')}, ${found('message')},
  case when ${isOwnCheck} then '{"subject": null}'::jsonb || f.repeated end as repeated, ${shownNote},
  case when f.state = 'imported' and b.id is not null and ${isOwnCheck} then json_build_object('batch', b.id,
    'inserted', b.inserted, 'updated', b.updated, 'unchanged', b.unchanged) end as stored,
  case when ${isClaimed} then f.claimedby else f.endedby end as by,
  floor(extract(epoch from f.ended_at))::bigint as endedat`
const fileTables = 'inbox_file f left join import_batch b on b.id = f.batchid'

/** What is asked of the list: pages count from 1. */
type InboxQuery = { page: number; size: number; month?: string; ended: 0 | 1 }

/** One page of the inbox: what waits in the order it came, or what has ended, newest first (inbox 8). */
export async function listInbox(sql: Sql, viewer: InboxViewer, { page, size, month, ended }: InboxQuery) {
  const where = `${isVisible} and ${ended ? 'not ' : ''}(${isWaiting})
    and ($3::text is null or f.month is null or f.month = $3)`
  const values = [...visibleTo(viewer), month ?? null]
  const order = ended ? 'f.ended_at desc, f.id desc' : 'f.id'
  const data = await sql.query<InboxFile>(
    `select ${fileColumns} from ${fileTables} where ${where}
      order by ${order} limit ${size} offset ${(page - 1) * size}`,
    values,
  )
  const [count] = await sql.query<{ n: number }>(
    `select count(*)::int as n from inbox_file f where ${where}`,
    values,
  )
  return { data, total_length: count!.n }
}

/** How many files wait that the viewer may see (inbox 10). */
export async function countWaiting(sql: Sql, viewer: InboxViewer): Promise<number> {
  const [count] = await sql.query<{ n: number }>(
    `select count(*)::int as n from inbox_file f where ${isVisible} and ${isWaiting}`,
    [...visibleTo(viewer)],
  )
  return count!.n
}

/** One file as the viewer may see it. Throws an HttpError (404). */
export async function readInboxFile(sql: Sql, viewer: InboxViewer, id: number): Promise<InboxFile> {
  const [file] = await sql.query<InboxFile>(
    `select ${fileColumns} from ${fileTables} where ${isVisible} and f.id = $3`,
    [...visibleTo(viewer), id],
  )
  if (!file) throw notFound('file of the inbox')
  return file
}

/** A file as a check or an import works on it. */
export type StoredFile = {
  id: number
  filename: string
  sha256: string
  size: number
  kind: ImportName | null
  answers: InboxAnswers
}

/** What a check or a refused import found. */
export type Finding = {
  state: Extract<InboxState, 'ready' | 'asks' | 'refused' | 'repeated'>
  kind: ImportName | null
  month: string | null
  processor: string | null
  asks: InboxAsks | null
  preview: Preview | null
  faults: InboxFaults | null
  message: string | null
  repeated: Repeated | null
}

/** Keeps what was found, and under whose rights; null for those of the house. */
export const storeFinding = (sql: Sql, claim: string, by: number | null, found: Finding) =>
  sql.query(
    `update inbox_file set state = $2, kind = $3, month = $4, processor = $5, asks = $6, preview = $7,
        faults = $8, message = $9, repeated = $10, checkedby = $11, checked_at = now(),
        endedby = null, ended_at = null, batchid = null
      where claim = $1`,
    [
      claim,
      found.state,
      found.kind,
      found.month,
      found.processor,
      found.asks,
      found.preview,
      found.faults,
      found.message,
      found.repeated,
      by,
    ],
  )

/** `kind` is what the file is taken for if its heading is of none. */
type NewFile = {
  filename: string
  sha256: string
  size: number
  kind?: ImportName | null
  address: string
} & ({ source: 'folder' } | { source: 'upload'; user: Pick<Caller, 'userid' | 'username'> })

/**
 * Adds a file to the inbox, with an entry in the audit; null when the same bytes of the same sender wait
 * there (inbox 5).
 */
export async function addFile(tx: Tx, file: NewFile): Promise<number | null> {
  const { filename, sha256, size, kind = null, source, address } = file
  const { userid, username } = file.source === 'upload' ? file.user : { userid: null, username: '' }
  const [added] = await tx.query<{ id: number }>(
    `insert into inbox_file (filename, sha256, size, source, userid, username, kind)
      values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id`,
    [filename, sha256, size, source, userid, username, kind],
  )
  if (!added) return null
  const after = { filename, sha256, size, source }
  const entry = { action: 'create', entity: 'inbox file', entityid: added.id, after } as const
  await audit(tx, { username, address, ...entry })
  return added.id
}

/**
 * The file with these bytes that waits and that the viewer may see; null when there is none. The same file
 * never waits twice before one person (inbox 5).
 */
export async function findWaiting(db: Db | Tx, viewer: InboxViewer, sha256: string): Promise<number | null> {
  const [file] = await db.query<{ id: number }>(
    `select f.id from inbox_file f where ${isVisible} and ${isWaiting} and f.sha256 = $3 order by id limit 1`,
    [...visibleTo(viewer), sha256],
  )
  return file?.id ?? null
}
