/** SQL: does the master agent of a row belong to the scope? `scope` is the placeholder of its ids; null is all of them. */
export const agentInScope = (scope: string, agent: string) =>
  `(${scope}::int[] is null or ${agent} = any (${scope}))`
