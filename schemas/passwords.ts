import { passwordLength } from './constants.ts'

/** The sentence about a password that is too short; null for any other (session 12). */
export const shortPasswordFault = (password: string): string | null =>
  [...password].length < passwordLength.min
    ? `Password needs at least ${passwordLength.min} characters`
    : null
