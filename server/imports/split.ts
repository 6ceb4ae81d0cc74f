/** Records that were found, and what ends the reading: why the record behind them cannot be read. */
export type Records = { records: string[][]; fault: string | null }

const quote = 34
const feed = 10
const back = 13

export const faults = {
  open: 'a quotation mark is opened and never closed',
  inside: 'a quotation mark stands inside a value that does not begin with one',
  behind: 'a quotation mark is followed by something other than a separator',
  long: 'the row is too long to be read',
}

/**
 * Splits separated text into records, strictly: quotation marks enclose a value and are doubled in it, or there are none. Lines end
 * with CR, LF or both, also in turns. Text comes in pieces; a record of more than `most` characters is a fault.
 */
export function splitter(separator: string, most: number): (piece: string, isLast: boolean) => Records {
  const mark = separator.charCodeAt(0)
  let text = ''
  let at = 0
  let isLast = false
  let fault: string | null = null

  /** The value at `at` in quotation marks, `at` then behind it; null when the text ends first or what follows is wrong. */
  const quoted = (): string | null => {
    let from = at + 1
    let isDoubled = false
    for (;;) {
      const end = text.indexOf('"', from)
      if (end < 0 || (end + 1 === text.length && !isLast)) {
        if (isLast) fault = faults.open
        return null
      }
      const next = text.charCodeAt(end + 1)
      if (next === quote) {
        isDoubled = true
        from = end + 2
        continue
      }
      if (next !== mark && next !== feed && next !== back && end + 1 < text.length) {
        fault = faults.behind
        return null
      }
      const value = text.slice(at + 1, end)
      at = end + 1
      return isDoubled ? value.replaceAll('""', '"') : value
    }
  }

  const bare = (): string | null => {
    const from = at
    const { length } = text
    while (at < length) {
      const sign = text.charCodeAt(at)
      if (sign === mark || sign === feed || sign === back) return text.slice(from, at)
      if (sign === quote) {
        fault = faults.inside
        return null
      }
      at += 1
    }
    return isLast ? text.slice(from) : null
  }

  /** One record from `at` on, `at` then behind its line end; null when the text ends before it does. */
  const record = (): string[] | null => {
    const cells: string[] = []
    for (;;) {
      const cell = text.charCodeAt(at) === quote ? quoted() : bare()
      if (cell === null) return null
      cells.push(cell)
      if (at >= text.length) return isLast ? cells : null
      const sign = text.charCodeAt(at)
      if (sign === mark) {
        at += 1
        continue
      }
      if (sign === back && at + 1 === text.length && !isLast) return null
      at += sign === back && text.charCodeAt(at + 1) === feed ? 2 : 1
      return cells
    }
  }

  /** A record that did not fit is looked at again when the text has doubled, so that a long one is not read over and over. */
  let enough = 0
  return (piece, last) => {
    text = at < text.length ? text.slice(at) + piece : piece
    at = 0
    isLast = last
    const records: string[][] = []
    if (!last && text.length < enough && text.length <= most) return { records, fault }
    enough = 0
    while (at < text.length) {
      const from = at
      const cells = record()
      if (cells === null) {
        at = from
        enough = 2 * (text.length - from)
        if (!fault && text.length - from > most) fault = faults.long
        break
      }
      if (at - from > most) fault = faults.long
      if (fault) break
      records.push(cells)
    }
    return { records, fault }
  }
}
