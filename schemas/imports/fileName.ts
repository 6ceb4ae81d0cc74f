import { fileNamePattern, uploadTypes } from '../constants.ts'
import { joinWithAnd, joinWithOr } from '../wording.ts'

const ending = /\.[^.]*$/
// Tested with one character at a time.
const allowed = /[A-Za-z0-9 _-]/
const isInvisible = (character: string) => /[\p{C}\p{Z}]/u.test(character)

/** “(”, or U+00A0 for a character that cannot be seen. */
const describeCharacter = (character: string) =>
  isInvisible(character)
    ? `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
    : `“${character}”`

/**
 * The message for a file name and what exactly is wrong with it; null when it is valid (constants 3,
 * imports 2).
 */
export const fileNameFault = (name: string): { message: string; detail: string } | null => {
  if (name === '') return { message: 'File name is required', detail: '' }
  if (fileNamePattern.test(name)) return null
  const message = 'Invalid file name format'
  const end = ending.exec(name)?.[0] ?? ''
  const types = uploadTypes as readonly string[]
  if (!types.includes(end.toLowerCase()))
    return { message, detail: `The name must end with ${joinWithOr(uploadTypes)}.` }
  const base = name.slice(0, name.length - end.length)
  if (base === '') return { message, detail: `A name before ${end} is missing.` }
  const wrong = [...new Set([...base].filter((character) => !allowed.test(character)))]
  if (wrong.length === 0)
    return { message, detail: `The ending must be written in small letters: ${end.toLowerCase()}` }
  const shown = wrong.slice(0, 5).map(describeCharacter)
  const words = wrong.length > 5 ? [...shown, 'others'] : shown
  return {
    message,
    detail: `${joinWithAnd(words)} cannot be used: only letters, digits, spaces, hyphens and underscores.`,
  }
}

/** What browsers add to the name of a file that they save a second time: ' (1)'. */
const copyNumber = /(?: ?\(\d+\))+$/

/**
 * The nearest allowed name, without the number that a browser gives a second download; null for a foreign
 * ending, whose format only the content shows (imports 2).
 */
export const suggestFileName = (name: string): string | null => {
  const end = ending.exec(name)?.[0].toLowerCase() ?? ''
  if (!(uploadTypes as readonly string[]).includes(end)) return null
  const base = name
    .slice(0, name.length - end.length)
    .trim()
    .replace(copyNumber, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\./g, '-')
    .replace(/[^A-Za-z0-9 _-]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
  return `${base === '' ? 'file' : base}${end}`
}
