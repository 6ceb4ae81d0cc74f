import type { Vertex } from './explore.ts'

/** One line of a transition table, for one state. */
export type Row = {
  state: string
  /** Words that must hold besides the state. */
  words: readonly string[]
  stimulus: string
  /** The state it leads to. */
  to: string
  /** Such as 'storeUser (the answer)'. */
  effects: readonly string[]
  /** Such as ['user', 'the answer']: what the context holds afterwards. What is not named is as it was. */
  keeps: readonly (readonly [field: string, word: string])[]
  line: string
}

const parts = (cell: string, by: string) =>
  cell
    .split(by)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/**
 * Reads a table: `from | stimulus | to | effects | keeps`. Lines without a bar are headings. `from` may name
 * several states, and words that must hold there ('asking / accepting', 'editing, dirty'); 'stays' in `to` is
 * the state it came from. `keeps` may give one value to several fields ('id, row = none').
 */
export function readTable(text: string): Row[] {
  const lines = parts(text, '\n').filter((line) => line.includes('|'))
  return lines.slice(1).flatMap((line) => {
    const [from, stimulus, to, effects, keeps] = line.split('|').map((cell) => cell.trim())
    if (!from || !stimulus || !to || effects === undefined || keeps === undefined)
      throw new Error(`not a row of five cells: ${line}`)
    return parts(from, ' / ').map((place) => {
      const [state, ...words] = parts(place, ',')
      return {
        state: state!,
        words,
        stimulus,
        to: to === 'stays' ? state! : to,
        effects: parts(effects, ';'),
        keeps: parts(keeps, ';').flatMap((fact) => {
          const [fields, word] = parts(fact, ' = ')
          if (!fields || !word) throw new Error(`'${fact}' is not 'fields = word': ${line}`)
          return parts(fields, ',').map((field) => [field, word] as const)
        }),
        line,
      }
    })
  })
}

/** The row for a stimulus at a vertex; null when the table says that nothing comes of it. */
export function rowFor(rows: readonly Row[], at: Vertex, stimulus: string): Row | null {
  const found = rows.filter(
    (row) =>
      row.state === at.state &&
      row.stimulus === stimulus &&
      row.words.every((word) => at.words.includes(word)),
  )
  if (found.length > 1)
    throw new Error(`two rows for '${stimulus}' at ${at.key}:\n${found.map((row) => row.line).join('\n')}`)
  return found[0] ?? null
}
