import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../../server/db/db.ts'
import { reachesPhase, importMerchants } from '../../fixtures/imports.ts'
import { comesTrue, expectThat, newOutcome, type Fault } from '../fault.ts'
import { killOffice } from '../kill.ts'
import { fillOffice, foundOf, halfMerchants, startOffice, startWriters, stopOffice } from '../office.ts'

const rows = 5_000
const phases = ['reading', 'checking', 'storing']

/** Rows and batches that imports have stored. */
const importedIn = async (db: Db) => {
  const [found] = await db.query<{ merchants: number; batches: number }>(
    `select (select count(*) from merchant where xmid not like '9%') as merchants,
      (select count(*) from import_batch where kind = 'merchant') as batches`,
  )
  return found!
}

export const killInImport: Fault = {
  name: 'import',
  what: 'kill -9 in mid-import, every other time of the database too',
  rounds: 9,
  async run({ folderWithDatabase }, rounds) {
    const outcome = newOutcome()
    const data = await folderWithDatabase()
    const kept: string[] = []
    let office = await startOffice(data)
    await fillOffice(office.db, 5, 0)
    let cut = 0
    for (let round = 0; round < rounds; round++) {
      const before = await importedIn(office.db)
      const writers = startWriters(office, round, 2)
      await writers.reached(5)
      const job = randomUUID()
      const sending = importMerchants(office.portal, rows, round, job)
      await reachesPhase(office.portal, job, phases[round % phases.length]!, sending)
      await killOffice(office, data, round % 2 === 1)
      const isAnswered = (await sending)?.status === 200
      await writers.stop()
      kept.push(...writers.acknowledged)
      outcome.acknowledged += isAnswered ? 1 : 0
      outcome.tried++
      office = await startOffice(data)
      const now = await importedIn(office.db)
      const stored = now.merchants - before.merchants
      const isWhole = stored === rows && now.batches === before.batches + 1
      const isNothing = stored === 0 && now.batches === before.batches
      outcome.half += isWhole || isNothing ? 0 : 1
      outcome.found += isAnswered && isWhole ? 1 : 0
      cut += isNothing ? 1 : 0
      const tmp = join(data, 'tmp')
      const isEmpty = await comesTrue(() => !existsSync(tmp) || readdirSync(tmp).length === 0, 5_000)
      expectThat(outcome, isEmpty, 'a file of the killed import stayed in the folder for temporary files')
    }
    expectThat(outcome, cut > 0, 'no kill fell into an import')
    const next = await importMerchants(office.portal, rows, rounds)
    expectThat(outcome, next?.status === 200, 'no file could be imported after the kills')
    outcome.acknowledged += kept.length
    outcome.found += await foundOf(office.db, kept)
    outcome.half += await halfMerchants(office.db)
    await stopOffice(office)
    return outcome
  },
}
