/** The entities that XML knows without a definition (XML 1.0, 4.6); no others may be defined (imports 4). */
const namedEntities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const entity = /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi
const escape = /_x([0-9A-F]{4})_/gi

/** Replaces entities and character references by their characters; unknown ones stay. */
const unescapeXml = (text: string): string =>
  text.includes('&')
    ? text.replace(entity, (reference, hex?: string, decimal?: string, word?: string) => {
        if (word) return namedEntities[word] ?? reference
        const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
        return code <= 0x10ffff ? String.fromCodePoint(code) : reference
      })
    : text
/**
 * Unescapes the text of a cell: entities, then _x000D_ and the like, which stand for characters that XML
 * cannot hold (ISO/IEC 29500-1, 22.9.2.19 ST_Xstring).
 */
export const decodeCellText = (text: string): string => {
  const plain = unescapeXml(text)
  return plain.includes('_x')
    ? plain.replace(escape, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : plain
}

/** The attributes of one tag by name, without namespace prefix. */
export const parseAttributes = (tag: string): Record<string, string> => {
  const found: Record<string, string> = {}
  for (const [, name, double, single] of tag.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    found[name!.slice(name!.indexOf(':') + 1)] = unescapeXml(double ?? single ?? '')
  return found
}
/** The attributes of every element of this name, whatever its namespace prefix. */
export const findElements = (xml: string, name: string): Record<string, string>[] =>
  [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(\\s[^>]*?)?/?>`, 'g'))].map((match) =>
    parseAttributes(match[1] ?? ''),
  )

/**
 * The text of a shared or inline string: all its runs joined (ISO/IEC 29500-1, 18.4.4 r, 18.4.12 t), without
 * the phonetic guide (18.4.6 rPh).
 */
export const joinTextRuns = (xml: string): string => {
  const withoutPhonetics = xml.includes('rPh')
    ? xml.replace(/<(?:\w+:)?rPh[\s>][\s\S]*?<\/(?:\w+:)?rPh>/g, '')
    : xml
  let text = ''
  for (const [, run] of withoutPhonetics.matchAll(/<(?:\w+:)?t(?:\s[^>]*)?>([^<]*)</g))
    text += decodeCellText(run!)
  return text
}
