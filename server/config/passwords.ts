import { dictionary } from '@zxcvbn-ts/language-common'
import { passwordLength, portalName } from '../../schemas/constants.ts'

const commonPasswords = new Set(dictionary['passwords-common'].map((word) => String(word).toLowerCase()))
const lettersAndDigits = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** A common password, with digits added or repeated: 'password1234', 'qwerty!!qwerty', 'aaaaaaaaaaaa'. */
const isCommon = (password: string) => {
  const bare = lettersAndDigits(password)
  const forms = [password.toLowerCase(), bare, bare.replace(/\d+$/, '')]
  return forms.some((form) => commonPasswords.has(form)) || /^(.{1,6})\1+$/u.test(bare)
}

/** What is wrong with a password, in one sentence; null when nothing is (session 12). */
export function passwordFault(password: string, username: string): string | null {
  const length = [...password].length
  if (length < passwordLength.min) return `Password needs at least ${passwordLength.min} characters`
  if (length > passwordLength.max) return `Password may have at most ${passwordLength.max} characters`
  if (isCommon(password)) return 'Password is too easy to guess: it is on a list of common passwords'
  const contains = (name: string) => lettersAndDigits(password).includes(lettersAndDigits(name))
  if (lettersAndDigits(username).length > 2 && contains(username))
    return 'Password must not contain the user name'
  if (contains(portalName)) return 'Password must not contain the name of the portal'
  return null
}
