import { dictionary } from '@zxcvbn-ts/language-common'
import { passwordLength, portalName } from '../schemas/constants.ts'
import { Refusal } from './errors.ts'

const common = new Set(dictionary['passwords-common'].map((word) => String(word).toLowerCase()))
const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** A common password in disguise: 'password1234', 'qwerty!!qwerty', 'aaaaaaaaaaaa'. */
const isCommon = (password: string) => {
  const bare = plain(password)
  const stem = bare.replace(/\d+$/, '')
  return common.has(password.toLowerCase()) || common.has(bare) || common.has(stem) || /^(.{1,6})\1+$/u.test(bare)
}

/** Refuses with 422 what decisions, section 3 forbids: short, common, or holding the user's own name. No composition rule. */
export function checkPassword(password: string, username: string, field = 'password'): void {
  const problem =
    [...password].length < passwordLength.least
      ? `Password needs at least ${passwordLength.least} characters`
      : [...password].length > passwordLength.most
        ? `Password may have at most ${passwordLength.most} characters`
        : isCommon(password)
          ? 'Password is too easy to guess: it is on a list of common passwords'
          : plain(username).length > 2 && plain(password).includes(plain(username))
            ? 'Password must not contain the user name'
            : plain(password).includes(plain(portalName))
              ? 'Password must not contain the name of the portal'
              : null
  if (problem) throw new Refusal(422, problem, { fields: { [field]: problem } })
}
