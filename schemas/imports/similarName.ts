/** Names with fewer letters are compared as they are: one letter of three makes another name. */
const minLetters = 4

/** Letters and digits alone, in small letters. */
const lettersOf = (name: string) => [...name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')]

/** Whether one letter is another, more or fewer, or two neighbours are exchanged. */
function differsByALetter(one: string[], other: string[]): boolean {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start += 1
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

/**
 * The first known name that a typing error turns into this one: the same but for case, blanks and
 * punctuation, or one letter apart (processors 1). Null where there is none.
 */
export function similarName(name: string, known: readonly string[]): string | null {
  const letters = lettersOf(name)
  if (letters.length === 0) return null
  const isSimilar = (other: string) => {
    const others = lettersOf(other)
    return (
      letters.join('') === others.join('') ||
      (Math.max(letters.length, others.length) >= minLetters && differsByALetter(letters, others))
    )
  }
  return known.find(isSimilar) ?? null
}
