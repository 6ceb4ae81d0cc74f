import { imports, type ImportName } from '../../../schemas/imports/imports.ts'
import { columnsOfSource, type Mapping, type SavedMapping } from '../../../schemas/imports/mapping/mapping.ts'
import { audit } from '../../db/audit.ts'
import type { Sql, Tx } from '../../db/db.ts'
import { notFound } from '../../http/errors.ts'
import type { HeadingsOfKind, StoredMapping } from './storedMapping.ts'

/** The entity of saved mappings in the audit. */
const entity = 'importmapping'

/** Whose action it is; `address` is the caller's. */
type Author = { username: string; userid?: number | null; address: string }
type MappingRow = StoredMapping & { id: number; username: string; at: number }

const selectMappings = `select id, processor, fingerprint, mapping, username,
  extract(epoch from saved_at)::bigint as at from import_mapping`

/** The mappings saved for a kind of import, newest first (mapping 4). */
export const storedMappings = (sql: Sql, kind: ImportName): Promise<StoredMapping[]> =>
  sql.query<StoredMapping>(
    `select processor, fingerprint, mapping from import_mapping where kind = $1
      order by saved_at desc, id desc`,
    [kind],
  )

/** The headings of all saved mappings, newest first. */
export const storedHeadings = (sql: Sql): Promise<HeadingsOfKind[]> =>
  sql.query<HeadingsOfKind>(
    `select kind, mapping -> 'sheets' as sheets from import_mapping order by saved_at desc, id desc`,
  )

/** The names of the columns that a mapping takes, each once, in the order of the kind's fields. */
const columnsOf = (kind: ImportName, { fields }: Mapping): string[] => [
  ...new Set(
    imports[kind].columns.flatMap(({ field }) => columnsOfSource(fields[field]).map(({ name }) => name)),
  ),
]

/** What the screen lists of the mappings of a kind, newest first (mapping 7). */
export async function listMappings(sql: Sql, kind: ImportName): Promise<{ data: SavedMapping[] }> {
  const rows = await sql.query<MappingRow>(
    `${selectMappings} where kind = $1 order by saved_at desc, id desc`,
    [kind],
  )
  return {
    data: rows.map(({ id, processor, mapping, username, at }) => ({
      id,
      processor,
      columns: columnsOf(kind, mapping),
      username,
      at,
    })),
  }
}

/**
 * Saves the mapping of an import in the import's transaction; it replaces one of the same heading (mapping
 * 4).
 */
export async function saveMapping(
  tx: Tx,
  kind: ImportName,
  { processor, fingerprint, mapping }: StoredMapping,
  { username, userid = null, address }: Author,
): Promise<void> {
  const [before] = await tx.query<MappingRow>(
    `${selectMappings} where kind = $1 and fingerprint = $2 for update`,
    [kind, fingerprint],
  )
  const [saved] = await tx.query<{ id: number }>(
    `insert into import_mapping (kind, processor, fingerprint, mapping, userid, username)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (kind, fingerprint) do update
        set processor = excluded.processor, mapping = excluded.mapping,
        userid = excluded.userid, username = excluded.username, saved_at = now()
      returning id`,
    [kind, processor, fingerprint, mapping, userid, username],
  )
  await audit(tx, {
    username,
    address,
    action: before ? 'update' : 'create',
    entity,
    entityid: saved!.id,
    before: before ? { kind, processor: before.processor, mapping: before.mapping } : null,
    after: { kind, processor, mapping },
  })
}

/** Deletes a saved mapping of a kind. Throws HttpError 404 when there is none. */
export async function removeMapping(tx: Tx, kind: ImportName, id: number, author: Author): Promise<void> {
  const [gone] = await tx.query<{ processor: string; mapping: Mapping }>(
    'delete from import_mapping where kind = $1 and id = $2 returning processor, mapping',
    [kind, id],
  )
  if (!gone) throw notFound('saved mapping')
  const { username, address } = author
  await audit(tx, { username, address, action: 'delete', entity, entityid: id, before: { kind, ...gone } })
}
