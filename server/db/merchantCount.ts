/**
 * The table `merchant_count` (agent, bucket, n), to which triggers append (migrations 005, 037, 061). A
 * figure is the sum of `n` in all rows of its agent and bucket. Agent 0 stands for all agents. A bucket from
 * 0 on counts the merchants with ids from `idsPerBucket` times the bucket on; those below 0 are named here.
 */
export const idsPerBucket = 1024
/** All merchants. */
export const everyMerchant = -1
/** The merchants of an account status, 1 to 3. */
const bucketOfStatus = (status: number) => -1 - status
/** Of agent 0: how many statements have written merchants, agents, equipment or what their lists show. */
export const writesBucket = -9

const sumOf = (agent: string, bucket: number) =>
  `select coalesce(sum(c.n), 0) from merchant_count c where c.agent = ${agent} and c.bucket = ${bucket}`

/** SQL of how many merchants there are. */
export const merchantCountSql = sumOf('0', everyMerchant)

/** SQL of how many merchants of an account status an agent has; `agent` is an expression of its id. */
export const merchantsOfStatusSql = (agent: string, status: number) => sumOf(agent, bucketOfStatus(status))

/**
 * SQL of the number of writes. Where two snapshots have the same, their lists are equal, so that cached pages
 * and totals may be answered (decision 31).
 */
export const writeCountSql = sumOf('0', writesBucket)
