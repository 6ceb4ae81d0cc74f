/**
 * How the chain of agents above a merchant shares its net, from the merchant's own agent upwards, as SQL
 * expressions: `p` is the percentage of the agent at hand, `state` what the rule keeps of the agents
 * below it.
 */
type OverrideRule = {
  /** The share in percent of the merchant's own agent, and the first state. */
  own: (p: string) => { share: string; state: string }
  /** The share in percent of an agent above, and the next state. */
  above: (p: string, state: string) => { share: string; state: string }
}

/**
 * An agent above earns what its percentage exceeds the highest percentage below it by, never less than 0
 * (money 2).
 */
const differentialOverride: OverrideRule = {
  own: (p) => ({ share: p, state: p }),
  above: (p, highest) => ({ share: `greatest(0, ${p} - ${highest})`, state: `greatest(${highest}, ${p})` }),
}

/** The rule that pays. */
export const overrideRule = differentialOverride
