import type { Import } from '../../schemas/imports.ts'

/** An empty file of a kind: its heading row, in either format. */
export async function templateOf({ columns }: Import, format: 'csv' | 'xlsx'): Promise<Buffer> {
  const heads = columns.map(({ head }) => head)
  if (format === 'csv') return Buffer.from(`${heads.map((head) => (/[",]/.test(head) ? `"${head.replaceAll('"', '""')}"` : head)).join(',')}\r\n`)
  // Large and seldom needed.
  const { utils, write } = await import('@e965/xlsx')
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet([heads]), 'Import')
  return write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer
}
