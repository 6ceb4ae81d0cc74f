/**
 * SQL condition that the master agent of a row is in a row scope (permissions 4). `scope` is the placeholder
 * of the scope's ids, null for all; `agent` is the column.
 */
export const agentInScope = (scope: string, agent: string) =>
  `(${scope}::int[] is null or ${agent} = any (${scope}))`
