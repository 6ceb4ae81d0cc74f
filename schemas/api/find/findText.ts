/** A word of so many characters is needed: shorter ones are served by no index (everywhere 1). */
export const minFindLength = 3
export const maxFindLength = 100
/** The most records of one kind that are answered. */
export const foundPerKind = 5

/** The words of a text, of which all must match. */
export const findWords = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

/** Whether a name has all words, in capitals or small letters. */
export const hasWords = (name: string, words: readonly string[]): boolean =>
  words.every((word) => name.toLowerCase().includes(word.toLowerCase()))

/** Whether the text has a word that is long enough for a search. */
export const canFind = (text: string): boolean =>
  findWords(text).some((word) => [...word].length >= minFindLength)
