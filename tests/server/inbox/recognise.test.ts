import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultImportLimits } from '../../../server/config/importLimits.ts'
import { projectFolder } from '../../../server/config/projectFolder.ts'
import { writeSamples } from '../../../server/demo/samples.ts'
import { recogniseKinds } from '../../../server/imports/process/readImport.ts'
import { csvOf, workbookOf, type Rows } from '../../files/workbooks.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recognise-'))
  await writeSamples({ dataDir: folder, demo: true }, new Date('2026-11-22T12:00:00Z'))
})
afterAll(() => rm(folder, { recursive: true }))

const kindsOf = (path: string) =>
  recogniseKinds({ kind: null, path, filename: path, limits: defaultImportLimits, saved: [] })
const kindsOfRows = async (rows: Rows, ending = 'csv') => {
  const path = join(folder, `rows.${ending}`)
  await writeFile(
    path,
    ending === 'csv' ? csvOf(rows) : workbookOf('xlsx', { Notes: [['Hello']], Data: rows }),
  )
  return kindsOf(path)
}

describe('the kind of a file', () => {
  test.each([
    ['merchants.csv', 'merchant'],
    ['merchants.xls', 'merchant'],
    ['merchants.xlsx', 'merchant'],
    ['daily-volume.csv', 'dailyvolume'],
    ['daily-volume.xlsx', 'dailyvolume'],
    ['chargebacks.csv', 'chargeback'],
    ['pci-compliance.csv', 'pcicompliance'],
    ['tin-validation.csv', 'tinvalidation'],
  ])('of the sample %s is %s', async (name, kind) => {
    expect(await kindsOf(join(projectFolder, 'samples', name))).toEqual({
      candidates: [kind],
      proposed: kind,
    })
  })

  test('of each processor’s file is compensation, whatever its layout', async () => {
    const names = (await readdir(join(folder, 'samples'))).sort()
    expect(names).toHaveLength(7)
    for (const name of names)
      expect([name, await kindsOf(join(folder, 'samples', name))]).toEqual([
        name,
        { candidates: ['compdata'], proposed: 'compdata' },
      ])
  })

  test.each<[string, Rows[number], string[], string | null]>([
    [
      'the columns of a volume and an income beside them',
      ['MID', 'Sales Amount', 'Income'],
      ['compdata'],
      'compdata',
    ],
    [
      'a volume with a net',
      ['MID', 'Sales Amount', 'Refund Amount', 'Net Amount'],
      ['dailyvolume'],
      'dailyvolume',
    ],
    ['a status that two kinds know', ['MID', 'Status'], ['pcicompliance', 'tinvalidation'], 'pcicompliance'],
    [
      'a volume and a net that two kinds know',
      ['MID', 'Sales', 'Net'],
      ['compdata', 'dailyvolume'],
      'compdata',
    ],
    ['an amount that no kind knows', ['MID', 'DBA', 'Fees'], [], 'merchant'],
    ['a single column', ['MID'], [], null],
    ['nothing that is known', ['Colour', 'Size'], [], null],
  ])('with %s', async (_, heads, candidates, proposed) => {
    const rows = [['A title'], heads, heads.map(() => '1')]
    const found = await kindsOfRows(rows)
    expect({ ...found, candidates: found.candidates.toSorted() }).toEqual({ candidates, proposed })
    expect(await kindsOfRows(rows, 'xlsx')).toEqual(found)
  })

  test('of lines of the IRS without a heading is a TIN validation', async () => {
    const path = join(folder, 'irs.csv')
    await writeFile(path, '1;123456789;Shop;4001;3\r\n')
    expect(await kindsOf(path)).toEqual({ candidates: ['tinvalidation'], proposed: 'tinvalidation' })
  })

  test('of a file that is no table is not asked: it is refused', async () => {
    const path = join(folder, 'page.csv')
    await writeFile(path, '%PDF-1.7')
    await expect(kindsOf(path)).rejects.toThrow('The file is a PDF document, not a spreadsheet or CSV file')
  })
})
