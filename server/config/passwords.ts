import { dictionary } from '@zxcvbn-ts/language-common'
import { passwordLength, portalName } from '../../schemas/constants.ts'

const common = new Set(dictionary['passwords-common'].map((word) => String(word).toLowerCase()))
const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** A common password in disguise: 'password1234', 'qwerty!!qwerty', 'aaaaaaaaaaaa'. */
const isCommon = (password: string) => {
  const bare = plain(password)
  const stem = bare.replace(/\d+$/, '')
  return (
    common.has(password.toLowerCase()) || common.has(bare) || common.has(stem) || /^(.{1,6})\1+$/u.test(bare)
  )
}

/** What is wrong with a password, in one sentence; null when it may be taken (session 8). No composition rule. */
export function passwordFault(password: string, username: string): string | null {
  if ([...password].length < passwordLength.least)
    return `Password needs at least ${passwordLength.least} characters`
  if ([...password].length > passwordLength.most)
    return `Password may have at most ${passwordLength.most} characters`
  if (isCommon(password)) return 'Password is too easy to guess: it is on a list of common passwords'
  if (plain(username).length > 2 && plain(password).includes(plain(username)))
    return 'Password must not contain the user name'
  if (plain(password).includes(plain(portalName))) return 'Password must not contain the name of the portal'
  return null
}
