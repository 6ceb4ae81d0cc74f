import type { ReportRow } from '../../../schemas/api/reports.ts'
import { masterAgent } from '../../../schemas/entities/masterAgent.ts'
import { merchant } from '../../../schemas/entities/merchant.ts'
import type { Tx } from '../../db/db.ts'
import { agentInScope } from '../../db/scope.ts'
import type { Caller } from '../../http/call.ts'
import type { Column, RecordKey } from './report.ts'

/** The id of 'MA0012' and of 'MA0012 - North'; null for any other text. */
const agentIdOf = (text: unknown): number | null => {
  const [, digits] = /^MA(\d{4,9})(?: - |$)/.exec(typeof text === 'string' ? text : '') ?? []
  return digits === undefined ? null : Number(digits)
}

/**
 * Writes into each row the paths of the records that its cells name, where the caller may open them: those in
 * the caller's own row scope, also where the report shows more (reports 43). Resolves with the field that
 * holds the path, by column. Call it when all rows were read: it uses the connection of their cursor.
 */
export async function addRecordLinks(
  { tx, caller }: { tx: Tx; caller: Caller },
  columns: readonly Column[],
  rows: ReportRow[],
): Promise<Readonly<Record<string, string>>> {
  const naming = columns.flatMap(({ name, record }) => (record ? [{ name, record }] : []))
  const agents = new Set<number>()
  const xmids = new Set<string>()
  const add = (key: RecordKey | null) => {
    if (key === null) return
    if ('merchant' in key) xmids.add(String(key.merchant))
    else agents.add(agentIdOf(key.agent) ?? 0)
  }
  for (const row of rows) for (const { record } of naming) add(record(row))
  const agentPaths = await pathsOfAgents(tx, caller, [...agents])
  const merchantPaths = await pathsOfMerchants(tx, caller, [...xmids])
  const pathOf = (key: RecordKey | null): string | null => {
    if (key === null) return null
    const path =
      'merchant' in key ? merchantPaths.get(String(key.merchant)) : agentPaths.get(agentIdOf(key.agent) ?? 0)
    return path ?? null
  }
  for (const row of rows) {
    for (const { name, record } of naming) {
      const path = row[name] === null ? null : pathOf(record(row))
      if (path !== null) row[linkField(name)] = path
    }
  }
  return Object.fromEntries(naming.map(({ name }) => [name, linkField(name)]))
}

const linkField = (column: string) => `${column}_link`

/** The paths of the agents among these ids that the caller may open, by id. */
async function pathsOfAgents(tx: Tx, caller: Caller, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0 || !masterAgent.access.list(caller)) return new Map()
  const found = await tx.query<{ id: number }>(
    `select id from master_agent where id = any ($1::int[]) and ${agentInScope('$2', 'id')}`,
    [ids, caller.scope],
  )
  return new Map(found.map(({ id }) => [id, `${masterAgent.path}?open=${id}`]))
}

/** The paths of the merchants among these XMIDs that the caller may open, by XMID. */
async function pathsOfMerchants(tx: Tx, caller: Caller, xmids: string[]): Promise<Map<string, string>> {
  if (xmids.length === 0 || !merchant.access.list(caller)) return new Map()
  const found = await tx.query<{ id: number; xmid: string }>(
    `select id, xmid from merchant where xmid = any ($1::text[]) and ${agentInScope('$2', 'masteragentid')}`,
    [xmids, caller.scope],
  )
  return new Map(found.map(({ id, xmid }) => [xmid, `${merchant.path}?open=${id}`]))
}
