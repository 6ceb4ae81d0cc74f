import { expect, onTestFinished, test, vi } from 'vitest'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import type * as words from '../../../server/audit/words.ts'
import { projectFolder } from '../../../server/config/projectFolder.ts'
import type * as differences from '../../../server/imports/store/differences.ts'
import type * as months from '../../../server/money/months.ts'
import { sharedImportDatabase } from '../../files/importDatabase.ts'

const it = sharedImportDatabase()

test('days of UTC are told as such on a machine in a time zone west of it', async () => {
  vi.stubEnv('TZ', 'America/New_York')
  onTestFinished(() => void vi.unstubAllEnvs())
  // What formats days is made when its module is read, so each is read once more.
  const again = <T>(path: string): Promise<T> =>
    import(/* @vite-ignore */ `${projectFolder}/server/${path}.ts?west`)
  const { monthName } = await again<typeof months>('money/months')
  const { valueText } = await again<typeof words>('audit/words')
  const { listDifferences } = await again<typeof differences>('imports/store/differences')
  const day = Date.parse('2026-09-01T00:00:00Z') / 1000
  expect(monthName('2026-09-01')).toBe('September 2026')
  expect(valueText(day, merchant.schema.properties.date_added, () => undefined)).toBe('9/1/2026')
  const changed = `select 1 as row, array['1'] as key,
    jsonb_build_object('date_added', jsonb_build_array(null, ${day})) as changed`
  expect(await listDifferences(it.db, imports.merchant, changed, [])).toEqual([
    { row: 1, key: '1', column: 'Date Added', before: '', after: '09/01/2026' },
  ])
})
