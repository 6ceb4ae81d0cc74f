import type { ImportLimits } from '../../config/importLimits.ts'
import { cellText, runs } from './xml.ts'
import { blocksOf, cut, damaged, endOfText, skipSpace, stands, type Block } from './xmlScan.ts'

const opening = /<((?:\w+:)?)sst(?:\s[^>]*?)?(\/?)>/
type Names = ReturnType<typeof names>
const names = (prefix: string) => {
  const of = (text: string) => Buffer.from(text)
  return {
    end: of(`</${prefix}sst`),
    extra: of(`<${prefix}extLst`),
    item: of(`<${prefix}si`),
    itemEnd: of(`</${prefix}si>`),
    empty: of(`<${prefix}si/>`),
    plain: of(`<${prefix}si><${prefix}t>`),
    spaced: of(`<${prefix}si><${prefix}t xml:space="preserve">`),
    plainEnd: of(`</${prefix}t></${prefix}si>`),
  }
}

/** Reads one text into `strings`; answers the place behind it, or -1 when the block ends before it does. */
function readItem(block: Block, start: number, known: Names, strings: string[]): number {
  const { bytes } = block
  if (!stands(bytes, start, known.item)) throw damaged('its list of texts holds something else')
  const begin = stands(bytes, start, known.plain)
    ? known.plain
    : stands(bytes, start, known.spaced)
      ? known.spaced
      : null
  if (begin) {
    const from = start + begin.length
    const end = endOfText(bytes, from)
    if (stands(bytes, end, known.plainEnd)) {
      strings.push(cellText(cut(block, from, end)))
      return end + known.plainEnd.length
    }
  }
  if (stands(bytes, start, known.empty)) {
    strings.push('')
    return start + known.empty.length
  }
  const end = bytes.indexOf(known.itemEnd, start)
  if (end < 0) return -1
  const body = cut(block, start, end)
  if (body.includes('<!') || body.includes('<?'))
    throw damaged('its list of texts holds a comment, which no spreadsheet program writes')
  strings.push(runs(body))
  return end + known.itemEnd.length
}

/** The shared texts of a workbook. */
export async function sharedStrings(part: AsyncIterable<Buffer>, limits: ImportLimits): Promise<string[]> {
  const strings: string[] = []
  let known: Names | null = null
  let ended = false
  for await (const block of blocksOf(part, 'the list of texts')) {
    const { bytes } = block
    let at = 0
    if (!known) {
      const start = opening.exec(bytes.toString('latin1'))
      if (start) {
        known = names(start[1]!)
        ended = start[2] !== ''
        at = start.index + start[0].length
      }
    }
    while (known && !ended) {
      const start = skipSpace(bytes, at)
      ended = stands(bytes, start, known.end) || stands(bytes, start, known.extra)
      if (ended || bytes.length - start <= known.extra.length) break
      const next = readItem(block, start, known, strings)
      if (next < 0) break
      at = next
    }
    block.done(at)
    if (ended) block.end()
    else if (bytes.length - at > limits.rowSize) throw damaged('a shared text is too long to be read')
  }
  if (!ended) throw damaged('its list of texts ends in the middle')
  return strings
}
