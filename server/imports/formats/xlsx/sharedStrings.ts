import type { ImportLimits } from '../../../config/importLimits.ts'
import { damagedWorkbook } from '../fileErrors.ts'
import { decodeCellText, joinTextRuns } from './xml.ts'
import { blockText, findTagStart, hasBytesAt, readBlocks, skipWhitespace, type Block } from './xmlScan.ts'

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

/**
 * Reads one item (ISO/IEC 29500-1, 18.4.8 si) into `strings`. Returns the offset behind it, or -1 when the
 * block ends before it does.
 */
function readItem(block: Block, start: number, tags: TagNames, strings: string[]): number {
  const { bytes } = block
  if (!hasBytesAt(bytes, start, tags.item)) throw damagedWorkbook('its list of texts holds something else')
  const begin = hasBytesAt(bytes, start, tags.plain)
    ? tags.plain
    : hasBytesAt(bytes, start, tags.spaced)
      ? tags.spaced
      : null
  if (begin) {
    const from = start + begin.length
    const end = findTagStart(bytes, from)
    if (hasBytesAt(bytes, end, tags.plainEnd)) {
      strings.push(decodeCellText(blockText(block, from, end)))
      return end + tags.plainEnd.length
    }
  }
  if (hasBytesAt(bytes, start, tags.empty)) {
    strings.push('')
    return start + tags.empty.length
  }
  const end = bytes.indexOf(tags.itemEnd, start)
  if (end < 0) return -1
  const body = blockText(block, start, end)
  if (body.includes('<!') || body.includes('<?'))
    throw damagedWorkbook('its list of texts holds a comment, which no spreadsheet program writes')
  strings.push(joinTextRuns(body))
  return end + tags.itemEnd.length
}

/**
 * The shared strings of a workbook (ISO/IEC 29500-1, 18.4.9 sst) in the order in which cells count them, from
 * 0. The attributes count and uniqueCount are optional and not relied on. Throws HttpError 422 when the part
 * is damaged.
 */
export async function readSharedStrings(
  part: AsyncIterable<Buffer>,
  limits: ImportLimits,
): Promise<string[]> {
  const strings: string[] = []
  let tags: TagNames | null = null
  let ended = false
  for await (const block of readBlocks(part, 'the list of texts')) {
    const { bytes } = block
    let at = 0
    if (!tags) {
      const start = opening.exec(bytes.toString('latin1'))
      if (start) {
        tags = encodeTagNames(start[1]!)
        ended = start[2] !== ''
        at = start.index + start[0].length
      }
    }
    while (tags && !ended) {
      const start = skipWhitespace(bytes, at)
      ended = hasBytesAt(bytes, start, tags.end) || hasBytesAt(bytes, start, tags.extra)
      if (ended || bytes.length - start <= tags.extra.length) break
      const next = readItem(block, start, tags, strings)
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
