/** Parses the text of a variable. Throws an Error whose message says what is expected. */
export type ParseVariable<T> = (text: string) => T
/**
 * The parsed value of an environment variable, or `unset` where it is empty or wrong. What is wrong is
 * collected and reported for all variables at once, without the value of a `secret` one (operations 4).
 */
export type ReadVariable = <T>(name: string, unset: T, parse: ParseVariable<T>, secret?: boolean) => T

/** Throws the Error of a variable that is not what it must be. */
export const failExpected = (what: string): never => {
  throw new Error(`it must be ${what}`)
}

/** Parses a whole number from `min` to `max`. */
export const wholeNumber =
  (min: number, max: number): ParseVariable<number> =>
  (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return number >= min && number <= max ? number : failExpected(`a whole number from ${min} to ${max}`)
  }

/** The address, or null unless it names a host and has one of these protocols ('https:'). */
export const parseUrl = (text: string, protocols: string[]): URL | null => {
  const parsed = URL.canParse(text) ? new URL(text) : null
  return parsed?.host && protocols.includes(parsed.protocol) ? parsed : null
}
export const parseWebAddress = (text: string) => parseUrl(text, ['http:', 'https:'])
