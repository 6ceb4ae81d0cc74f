/** An entry of a return file; amounts are cents. */
export type Returned = {
  code: string
  trace: string
  cents?: number
  /** YYMMDD. */
  died?: string
  corrected?: string
  transaction?: string
}

const digits = (value: number, width: number) => String(value).padStart(width, '0')
const text = (value: string, width: number) => value.padEnd(width)
const bank = '02100002'

/**
 * A bank's return file, as the record layouts have it, with one batch for each list of entries. `day` is
 * YYMMDD.
 */
export function returnFileOf(batches: readonly (readonly Returned[])[], day = '260212'): string {
  const header = `101 0910000191234567890${day}0900A094101${text('PORTAL', 23)}${text('FIRST EXAMPLE BANK', 23)}${text('', 8)}`
  const lines = [header]
  let count = 0
  let number = 0
  for (const [index, entries] of batches.entries()) {
    const batch = digits(index + 1, 7)
    lines.push(
      `5200${text('PORTAL', 16)}${text('', 20)}1234567890${entries[0]?.corrected === undefined ? 'PPD' : 'COR'}${text('PAYROLL', 10)}      260210   1${bank}${batch}`,
    )
    const sums = { hash: 0, debits: 0, credits: 0 }
    for (const entry of entries) {
      const own = `${bank}${digits(++number, 7)}`
      lines.push(...entryLines(entry, own))
      const cents = entry.cents ?? 0
      if (/[1-4]$/.test(entry.transaction ?? '21')) sums.credits += cents
      else sums.debits += cents
      sums.hash += Number(bank)
    }
    count += entries.length * 2
    lines.push(
      `8200${digits(entries.length * 2, 6)}${digits(sums.hash, 10)}${digits(sums.debits, 12)}${digits(sums.credits, 12)}1234567890${text('', 25)}${bank}${batch}`,
    )
  }
  const all = batches.flat()
  const total = (isCredit: boolean) =>
    all
      .filter((it) => /[1-4]$/.test(it.transaction ?? '21') === isCredit)
      .reduce((sum, it) => sum + (it.cents ?? 0), 0)
  const blocks = Math.ceil((lines.length + 1) / 10)
  lines.push(
    `9${digits(batches.length, 6)}${digits(blocks, 6)}${digits(count, 8)}${digits(all.length * Number(bank), 10)}${digits(total(false), 12)}${digits(total(true), 12)}${text('', 39)}`,
  )
  while (lines.length % 10 > 0) lines.push('9'.repeat(94))
  return `${lines.join('\r\n')}\r\n`
}

function entryLines(
  { code, trace, cents = 0, died = '', corrected, transaction = '21' }: Returned,
  own: string,
): string[] {
  const entry = `6${transaction}${bank}1${text('123456789', 17)}${digits(cents, 10)}${text('MA0002', 15)}${text('AGENT 2', 22)}  1${own}`
  const data =
    corrected === undefined
      ? `${text(died, 6)}${bank}${text('', 44)}`
      : `      ${bank}${text(corrected, 29)}${text('', 15)}`
  return [entry, `7${corrected === undefined ? '99' : '98'}${code}${trace}${data}${own}`]
}
