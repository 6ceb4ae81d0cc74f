import type { ReportRow } from '../../../schemas/api/reports.ts'
import { displayIdPattern, masterAgent } from '../../../schemas/entities/masterAgent.ts'
import { merchant } from '../../../schemas/entities/merchant.ts'
import type { Tx } from '../../db/db.ts'
import { agentInScope } from '../../db/scope.ts'
import type { Caller } from '../../http/call.ts'
import type { Column, RecordKey } from './report.ts'

const displayIdAtStart = new RegExp(`^(${displayIdPattern})(?: - |$)`)
/** The id of 'MA0012' and of 'MA0012 - North'; null for any other text. */
const agentIdOf = (text: unknown): number | null => {
  const [, displayId] = displayIdAtStart.exec(typeof text === 'string' ? text : '') ?? []
  return displayId === undefined ? null : Number(displayId.slice('MA'.length))
}

/** Links the cells of one report's rows to the records and reports they lead to (reports 43). */
type RecordLinker = {
  /** The field of a row that holds the path, by column. */
  fields: Readonly<Record<string, string>>
  /** Writes the paths into the rows of a batch. */
  add(rows: ReportRow[]): Promise<void>
}

/**
 * The paths are those of records that the caller may open: those in the caller's own row scope, also where
 * the report shows more (reports 43).
 */
export function recordLinker(
  { tx, caller }: { tx: Tx; caller: Caller },
  columns: readonly Column[],
): RecordLinker {
  const naming = columns.flatMap(({ name, record }) => (record ? [{ name, record }] : []))
  /** By id; null for an agent that the caller may not open. */
  const agents = new Map<number, string | null>()
  return {
    fields: Object.fromEntries(naming.map(({ name }) => [name, linkField(name)])),
    async add(rows) {
      const keys = naming.flatMap(({ record }) => rows.map(record))
      const ids = keys.flatMap((key) => (key && 'agent' in key ? [agentIdOf(key.agent) ?? 0] : []))
      const unknown = [...new Set(ids)].filter((id) => !agents.has(id))
      const found = await pathsOfAgents(tx, caller, unknown)
      for (const id of unknown) agents.set(id, found.get(id) ?? null)
      const xmids = keys.flatMap((key) => (key && 'merchant' in key ? [String(key.merchant)] : []))
      const merchants = await pathsOfMerchants(tx, caller, [...new Set(xmids)])
      const pathOf = (key: RecordKey | null) => {
        if (key === null) return undefined
        if ('path' in key) return key.path
        return 'merchant' in key ? merchants.get(String(key.merchant)) : agents.get(agentIdOf(key.agent) ?? 0)
      }
      for (const row of rows)
        for (const { name, record } of naming) {
          const path = row[name] === null ? undefined : pathOf(record(row))
          if (path) row[linkField(name)] = path
        }
    },
  }
}

const linkField = (column: string) => `${column}_link`

/** The paths of the agents among these ids that the caller may open, by id. */
async function pathsOfAgents(tx: Tx, caller: Caller, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const found = await tx.query<{ id: number }>(
    `select id from master_agent where id = any ($1::int[]) and ${agentInScope('$2', 'id')}`,
    [ids, caller.scope],
  )
  return new Map(found.map(({ id }) => [id, `${masterAgent.path}?open=${id}`]))
}

/** The paths of the merchants among these XMIDs that the caller may open, by XMID. */
async function pathsOfMerchants(tx: Tx, caller: Caller, xmids: string[]): Promise<Map<string, string>> {
  if (xmids.length === 0) return new Map()
  const found = await tx.query<{ id: number; xmid: string }>(
    `select id, xmid from merchant where xmid = any ($1::text[]) and ${agentInScope('$2', 'masteragentid')}`,
    [xmids, caller.scope],
  )
  return new Map(found.map(({ id, xmid }) => [xmid, `${merchant.path}?open=${id}`]))
}
