/**
 * Records that a form can refer to, searched by GET /api/v1/{name}/ids (lists 11). Each answers its id and
 * two fields, which together are its label. `scope` is the column with the master agent that row scope
 * applies to.
 */
type Lookup = { table: string; scope: string; fields: readonly [string, string] }

export const lookups = {
  masteragent: { table: 'master_agent', scope: 'id', fields: ['displayid', 'name'] },
  merchant: { table: 'merchant', scope: 'masteragentid', fields: ['xmid', 'dba'] },
} as const satisfies Record<string, Lookup>

export type LookupName = keyof typeof lookups
export type LookupRow = { id: number } & Record<string, string | number>

/** '{first field} - {second field}', as lists and pickers show a record (lists 5). */
export const labelOf = (name: string, row: LookupRow): string =>
  (lookups[name as LookupName]?.fields ?? []).map((field) => row[field]).join(' - ')
