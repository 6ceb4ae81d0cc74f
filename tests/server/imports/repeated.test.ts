import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ImportName, Preview } from '../../../schemas/imports/imports.ts'
import { exported, filesOf } from '../../files/exported.ts'
import { empty, sharedImportDatabase } from '../../files/importDatabase.ts'
import { csvOf } from '../../files/workbooks.ts'

const it = sharedImportDatabase()

/** Cells that depend on each other, so that only the others vary. */
const fixed: Partial<Record<ImportName, Record<string, string>>> = {
  dailyvolume: { salesamount: '10.5', refundamount: '', netamount: '10.50' },
  compdata: { income: '10', expense: '4', net: '6.00', processor: 'Aurora' },
  tinvalidation: { code: '', tinstatus: 'Match' },
}

describe('what is stored, written as a file and imported again, changes nothing', () => {
  test.each<[ImportName]>([
    ['merchant'],
    ['pcicompliance'],
    ['chargeback'],
    ['tinvalidation'],
    ['compdata'],
    ['dailyvolume'],
  ])(
    '%s',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(filesOf(kind, fixed[kind] ?? {}), async (rows) => {
          await empty(it.db)
          const first = await it.imports(kind, 'f.csv', csvOf(rows), {
            answers: kind === 'compdata' ? { processor: 'Aurora', newprocessor: true } : {},
          })
          expect(first).toMatchObject({ inserted: rows.length - 1, updated: 0, unchanged: 0 })
          const again = (await it.imports(kind, 'g.csv', await exported(it.db, kind), {
            dryrun: true,
          })) as Preview
          expect(again).toMatchObject({
            inserted: 0,
            updated: 0,
            unchanged: rows.length - 1,
            rejected: 0,
            differences: [],
          })
        }),
        { numRuns: 1, endOnFailure: true },
      )
    },
    180_000,
  )
})
