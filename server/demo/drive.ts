import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../config/config.ts'
import { places, random, trades } from './random.ts'

/** A PDF document of one page with one line. */
const pdf = (line: string) => {
  const text = `BT /F1 18 Tf 72 720 Td (${line.replace(/[()\\]/g, '\\$&')}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ' +
      '/Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const starts: number[] = []
  let body = '%PDF-1.4\n'
  for (const [index, object] of objects.entries()) {
    starts.push(body.length)
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  const table = starts.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const trailer = `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return `${body}xref\n0 6\n0000000000 65535 f \n${table}${trailer}`
}

const priceList = () => {
  const draw = random(11)
  const rows = trades.map(
    (trade) => `${places[draw.integer(0, places.length - 1)]} ${trade} Terminal,${draw.integer(90, 600)}.00`,
  )
  return ['Model,Price', ...rows, ''].join('\r\n')
}

const files = (): Record<string, string> => ({
  'Agreements/Agent Agreement.pdf': pdf('Agent Agreement (generated for demonstration)'),
  'Agreements/Merchant Application.pdf': pdf('Merchant Application (generated for demonstration)'),
  'Agreements/Closed/Agreement of last year.pdf': pdf('Agreement of last year (generated for demonstration)'),
  'Price Lists/Equipment.csv': priceList(),
  'Price Lists/Read me first.txt': 'Prices are generated for demonstration.\r\n',
  'Training/How to read a statement.txt': 'Each line of a statement is one day.\r\n'.repeat(200),
  'Training/Guía rápida.txt': 'Generado para la demostración.\r\n',
  'Training/案内.txt': 'これは見本です。\r\n',
  'Welcome.txt':
    'What lies in the folder "drive" of the data folder is shared with everybody who signs in.\r\n',
})

/**
 * Writes a few generated files into the portal's own drive folder, unless the folder exists (operations 10).
 */
export async function fillDrive({ drive, demo }: Pick<Config, 'drive' | 'demo'>): Promise<void> {
  if (!demo || 'google' in drive || !drive.createIfMissing || existsSync(drive.folder)) return
  for (const [path, content] of Object.entries(files())) {
    await mkdir(join(drive.folder, dirname(path)), { recursive: true })
    await writeFile(join(drive.folder, path), content)
  }
}
