import { entities } from '../../schemas/entities/index.ts'
import type { Sql } from '../db/db.ts'
import { isId } from '../http/ids.ts'

/** What an entry of the audit holds. */
export type StoredEntry = {
  id: number
  at: number
  username: string
  address: string
  action: string
  entity: string
  entityid: string
  before: Values | null
  after: Values | null
}
export type Values = Record<string, unknown>

/** The name of a record as people know it, by entity and id: 'MA0003' of a master agent. */
export type RecordNames = (entity: string, id: unknown) => string | undefined

/** The column by which people know the records of an entity. */
const nameColumns: Readonly<Record<string, readonly [table: string, column: string]>> = {
  masteragent: ['master_agent', 'displayid'],
  merchant: ['merchant', 'xmid'],
  user: ['portal_user', 'username'],
}

/** Whether an entry is of an import: its entity is then the kind of import, its id the batch. */
export const isOfImport = ({ action }: Pick<StoredEntry, 'action'>) =>
  action === 'import' || action === 'undo'

/** The records that an entry names: its own, and those to which its values refer. */
function namedRecords({ entity, entityid, before, after, action }: StoredEntry): [string, unknown][] {
  const properties = entities[entity]?.schema.properties ?? {}
  const references = [before, after].flatMap((values) =>
    Object.entries(values ?? {}).map(([field, value]): [string, unknown] => [
      properties[field]?.to ?? (field === 'masteragentid' ? 'masteragent' : ''),
      value,
    ]),
  )
  return [...(isOfImport({ action }) ? [] : [[entity, entityid] as [string, unknown]]), ...references]
}

/** Reads the names of all records that these entries name, in one statement for each entity. */
export async function readNames(sql: Sql, entries: readonly StoredEntry[]): Promise<RecordNames> {
  const wanted = entries.flatMap(namedRecords).filter(([, id]) => isId(String(id)))
  const names = new Map<string, string>()
  for (const [entity, [table, column]] of Object.entries(nameColumns)) {
    const ids = [...new Set(wanted.filter(([of]) => of === entity).map(([, id]) => Number(id)))]
    if (ids.length === 0) continue
    const rows = await sql.query<{ id: number; name: string }>(
      `select id, ${column} as name from ${table} where id = any ($1)`,
      [ids],
    )
    for (const { id, name } of rows) names.set(`${entity} ${id}`, name)
  }
  return (entity, id) => names.get(`${entity} ${String(id)}`)
}
