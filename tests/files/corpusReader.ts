import type { ImportName } from '../../schemas/imports/imports.ts'
import { defaultImportLimits as standard, type ImportLimits } from '../../server/config/importLimits.ts'
import { HttpError } from '../../server/http/errors.ts'
import { readImport } from '../../server/imports/process/readImport.ts'
import { soundRow } from './read.ts'

/** A file on disk for the reader of the corpus. */
export type Case = {
  name: string
  path: string
  filename: string
  kind: ImportName
  limits: Partial<ImportLimits>
}
/**
 * What it came to: what was read, row by row, or a sentence; and how large the reading process has grown, in
 * MB.
 */
export type Told = { name: string; outcome: string[] | string; peak: number }

/** The columns of a kind that the corpus looks at, by their place in COPY's text format. */
const looked: Partial<Record<ImportName, number[]>> = { merchant: [0, 1, 2], dailyvolume: [0, 1, 3, 6] }

async function told({ kind, path, filename, limits }: Case): Promise<string[] | string> {
  const places = looked[kind]!
  const rows: string[] = []
  let rest = ''
  try {
    const report = await readImport(
      { kind, path, filename, limits: { ...standard, ...limits } },
      async (more) => {
        const lines = `${rest}${more.toString()}`.split('\n')
        rest = lines.pop()!
        for (const line of lines) {
          const values = soundRow(line)
          if (values && rows.length < 100) rows.push(places.map((place) => values[place]).join(' '))
        }
      },
    )
    return [...rows, ...report.faults.map(({ row, message }) => `${row}! ${message}`)]
  } catch (error) {
    if (error instanceof HttpError && error.status === 422) return error.message
    return `FAILED ${String(error)}`
  }
}

/**
 * One process reads the whole corpus, file after file, as the reading process of the portal would read each.
 */
process.once('message', async (cases: Case[]) => {
  for (const one of cases) {
    const outcome = await told(one)
    process.send!({
      name: one.name,
      outcome,
      peak: Math.round(process.resourceUsage().maxRSS / 1000),
    } satisfies Told)
  }
  process.disconnect()
})
