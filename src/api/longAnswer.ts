/** Characters of rows that are parsed at a time: about 10 ms, after which the page can do other things. */
const pieceLength = 1_000_000

const opening = '"data":[\n'
const closing = '\n],'

/**
 * Parses a JSON answer that may be long (reports 10): the rows of `data`, each on a line of its own, piece by
 * piece. The length of a piece is in characters. Throws a SyntaxError for a text that is no JSON.
 */
export async function parseLongReport(
  answer: unknown,
  { piece = pieceLength, pause = nextTask }: { piece?: number; pause?: () => Promise<void> } = {},
): Promise<unknown> {
  if (!(answer instanceof Blob)) return answer
  const text = await answer.text()
  const start = text.indexOf(opening) + opening.length
  const end = text.lastIndexOf(closing)
  if (text.length <= piece || start < opening.length || end < start) return JSON.parse(text)
  const data: unknown[] = []
  for (let at = start; at < end;) {
    const line = text.indexOf('\n', at + piece)
    const cut = line === -1 || line > end ? end : line
    const rows = text.slice(at, cut)
    for (const row of JSON.parse(`[${rows.endsWith(',') ? rows.slice(0, -1) : rows}]`)) data.push(row)
    at = cut + 1
    await pause()
  }
  return { ...JSON.parse(text.slice(0, start) + text.slice(end)), data }
}

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve, 0))
