import { msInDay, secondsInDay } from '../../schemas/dates.ts'
import type { Config } from '../config/config.ts'
import type { Db, Tx } from '../db/db.ts'
import { addAdmin, addDemoUsers, type SeededUser } from './people.ts'
import { addPortfolio } from './portfolio.ts'
import { addResiduals, processors } from './residuals.ts'
import { addRisk } from './risk.ts'
import { sampleProcessors } from './samples.ts'

const demoTerms = `Technology Portal: Terms and Conditions

1. You use this portal only for the business of the office that gave you your user name.
2. You keep your password to yourself and tell the office at once when somebody else may know it.
3. What you see of merchants and agents is confidential.
4. What you import, change and lock is recorded with your name, the time and your address.

These terms are generated for demonstration.`

/** Those of the demo's months, and those of its files to import, so that these ask for nothing. */
const addProcessors = (tx: Tx) =>
  tx.query('insert into processor (name) select unnest($1::text[])', [[...processors, ...sampleProcessors]])

/** The processors of the demo's months are expected from their first file on. */
const setFirstMonths = `
  update processor p set since = f.month
  from (select processor, min(month) as month from residual group by processor) f
  where f.processor = p.name`

/**
 * Fills an empty database and answers who can sign in, with random passwords that are stored nowhere; on a
 * database that has users it does nothing and answers an empty list. Two processes that start at once: one
 * seeds.
 */
export const seed = (
  db: Db,
  config: Pick<Config, 'adminPassword' | 'demo'>,
  secret: Buffer,
): Promise<SeededUser[]> =>
  db.transaction(async (own) => {
    // The months of the demo come of the same long statements, which are planned once for all of them.
    const tx = { ...own, query: own.prepared }
    await tx.query(`select pg_advisory_xact_lock(hashtext('seed'))`)
    const [known] = await tx.query('select 1 from portal_user limit 1')
    if (known) return []
    if (!config.demo) return [await addAdmin(tx, config.adminPassword)]
    await tx.query('set local plan_cache_mode = force_generic_plan')
    const today = Math.floor(Date.now() / msInDay) * secondsInDay
    await addPortfolio(tx, today, secret)
    await addProcessors(tx)
    await addResiduals(tx, today, secret)
    await tx.query(setFirstMonths)
    await addRisk(tx, today)
    await tx.query('insert into terms (tctext) values ($1)', [demoTerms])
    return [await addAdmin(tx, config.adminPassword), ...(await addDemoUsers(tx))]
  })
