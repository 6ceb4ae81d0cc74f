/**
 * How a chain of agents shares a merchant's net: walking up from the merchant's own agent, each percentage is met with what is
 * remembered from those below. All are SQL on `p`, the percentage of the agent that is reached, and `m`, what is remembered.
 */
export type ShareRule = {
  /** The share of the merchant's own agent, and what is remembered of it. */
  own: (p: string) => { share: string; memory: string }
  /** The share of an agent above, and what is remembered from then on. */
  above: (p: string, m: string) => { share: string; memory: string }
}

/** Override = difference (domain 6.2): an agent above earns what its percentage exceeds the highest below it by. */
export const difference: ShareRule = {
  own: (p) => ({ share: p, memory: p }),
  above: (p, m) => ({ share: `greatest(0, ${p} - ${m})`, memory: `greatest(${m}, ${p})` }),
}

/** The rule that pays. */
export const shareRule = difference
