/**
 * What can be picked in a form: the records behind GET /api/v1/{name}/ids. Each answers its id and two
 * fields, which together are the label ('displayid - name').
 */
export type Lite = { table: string; scope: string; fields: readonly [string, string] }

export const lites = {
  masteragent: { table: 'master_agent', scope: 'id', fields: ['displayid', 'name'] },
  merchant: { table: 'merchant', scope: 'masteragentid', fields: ['xmid', 'dba'] },
} as const satisfies Record<string, Lite>

export type LiteName = keyof typeof lites
export type LiteRow = { id: number } & Record<string, string | number>

/** 'displayid - name', as lists and pickers show a record (specification, section 2). */
export const labelOf = (name: string, row: LiteRow): string =>
  (lites[name as LiteName]?.fields ?? []).map((field) => row[field]).join(' - ')
