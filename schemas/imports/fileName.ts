import { fileName, uploadTypes } from '../constants.ts'

const ending = /\.[^.]*$/
const allowed = /^[A-Za-z0-9 _-]$/
const isInvisible = (character: string) => /^[\p{C}\p{Z}]$/u.test(character)

/** A character as a person can tell it apart: “(”, or U+00A0 for one that cannot be seen. */
const named = (character: string) =>
  isInvisible(character)
    ? `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
    : `“${character}”`

const list = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** The specification's message and what exactly is wrong; null when the name may be sent (section 5, D11). */
export const nameFault = (name: string): { message: string; detail: string } | null => {
  if (name === '') return { message: 'File name is required', detail: '' }
  if (fileName.test(name)) return null
  const message = 'Invalid file name format'
  const end = ending.exec(name)?.[0] ?? ''
  const types = uploadTypes as readonly string[]
  if (!types.includes(end.toLowerCase()))
    return { message, detail: `The name must end with ${list(uploadTypes).replace(' and ', ' or ')}.` }
  const base = name.slice(0, name.length - end.length)
  if (base === '') return { message, detail: `A name before ${end} is missing.` }
  const wrong = [...new Set([...base].filter((character) => !allowed.test(character)))]
  if (wrong.length === 0)
    return { message, detail: `The ending must be written in small letters: ${end.toLowerCase()}` }
  const shown = wrong.slice(0, 5).map(named)
  const words = wrong.length > 5 ? [...shown, 'others'] : shown
  return {
    message,
    detail: `${list(words)} cannot be used: only letters, digits, spaces, hyphens and underscores.`,
  }
}
