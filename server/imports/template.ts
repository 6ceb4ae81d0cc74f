import { writeXlsx } from 'hucre'
import type { Import } from '../../schemas/imports.ts'

/** An empty file of a kind: its heading row, in either format. */
export async function templateOf({ columns }: Import, format: 'csv' | 'xlsx'): Promise<Buffer> {
  const heads = columns.map(({ head }) => head)
  if (format === 'csv') return Buffer.from(`${heads.map((head) => (/[",]/.test(head) ? `"${head.replaceAll('"', '""')}"` : head)).join(',')}\r\n`)
  return Buffer.from(await writeXlsx({ sheets: [{ name: 'Import', rows: [heads] }] }))
}
