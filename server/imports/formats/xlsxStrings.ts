import type { ImportLimits } from '../../config/importLimits.ts'
import { decodeCellText, joinTextRuns } from './xml.ts'
import {
  readBlocks,
  blockText,
  damagedWorkbook,
  findTagStart,
  skipWhitespace,
  hasBytesAt,
  type Block,
} from './xmlScan.ts'

const opening = /<((?:\w+:)?)sst(?:\s[^>]*?)?(\/?)>/
type TagNames = ReturnType<typeof encodeTagNames>
const encodeTagNames = (prefix: string) => {
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
function readItem(block: Block, start: number, known: TagNames, strings: string[]): number {
  const { bytes } = block
  if (!hasBytesAt(bytes, start, known.item)) throw damagedWorkbook('its list of texts holds something else')
  const begin = hasBytesAt(bytes, start, known.plain)
    ? known.plain
    : hasBytesAt(bytes, start, known.spaced)
      ? known.spaced
      : null
  if (begin) {
    const from = start + begin.length
    const end = findTagStart(bytes, from)
    if (hasBytesAt(bytes, end, known.plainEnd)) {
      strings.push(decodeCellText(blockText(block, from, end)))
      return end + known.plainEnd.length
    }
  }
  if (hasBytesAt(bytes, start, known.empty)) {
    strings.push('')
    return start + known.empty.length
  }
  const end = bytes.indexOf(known.itemEnd, start)
  if (end < 0) return -1
  const body = blockText(block, start, end)
  if (body.includes('<!') || body.includes('<?'))
    throw damagedWorkbook('its list of texts holds a comment, which no spreadsheet program writes')
  strings.push(joinTextRuns(body))
  return end + known.itemEnd.length
}

/** The shared texts of a workbook. */
export async function readSharedStrings(
  part: AsyncIterable<Buffer>,
  limits: ImportLimits,
): Promise<string[]> {
  const strings: string[] = []
  let known: TagNames | null = null
  let ended = false
  for await (const block of readBlocks(part, 'the list of texts')) {
    const { bytes } = block
    let at = 0
    if (!known) {
      const start = opening.exec(bytes.toString('latin1'))
      if (start) {
        known = encodeTagNames(start[1]!)
        ended = start[2] !== ''
        at = start.index + start[0].length
      }
    }
    while (known && !ended) {
      const start = skipWhitespace(bytes, at)
      ended = hasBytesAt(bytes, start, known.end) || hasBytesAt(bytes, start, known.extra)
      if (ended || bytes.length - start <= known.extra.length) break
      const next = readItem(block, start, known, strings)
      if (next < 0) break
      at = next
    }
    block.consume(at)
    if (ended) block.skipRest()
    else if (bytes.length - at > limits.rowCharacters)
      throw damagedWorkbook('a shared text is too long to be read')
  }
  if (!ended) throw damagedWorkbook('its list of texts ends in the middle')
  return strings
}
