/** Reads one variable; throws an Error that says what is expected, to follow 'PORT is 'x': '. */
export type ParseVariable<T> = (text: string) => T
/** A variable's value, or `unset` where it is empty or wrong; what is wrong with it is told at the end, a secret's value aside. */
export type ReadVariable = <T>(name: string, unset: T, parse: ParseVariable<T>, secret?: boolean) => T

export const failExpected = (what: string): never => {
  throw new Error(`it must be ${what}`)
}

export const wholeNumber =
  (least: number, most: number): ParseVariable<number> =>
  (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return number >= least && number <= most
      ? number
      : failExpected(`a whole number from ${least} to ${most}`)
  }

/** The address, if it names a host and one of these protocols ('https:'). */
export const parseUrl = (text: string, protocols: string[]): URL | null => {
  const parsed = URL.canParse(text) ? new URL(text) : null
  return parsed?.host && protocols.includes(parsed.protocol) ? parsed : null
}
export const parseWebAddress = (text: string) => parseUrl(text, ['http:', 'https:'])
