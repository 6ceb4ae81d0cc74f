/** 'a, b and c' */
export const joinWithAnd = (texts: readonly string[]): string => new Intl.ListFormat('en-GB').format(texts)

/** 'a, b or c' */
export const joinWithOr = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`

/** '1 row', '1,204 rows', whatever the locale; `many` is a plural that is not `one` with an s. */
export const countNoun = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
