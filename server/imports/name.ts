import { fileName, uploadTypes } from '../../schemas/constants.ts'

/** What is wrong with the name of a file (specification, section 5), naming the character; null when nothing is. */
export function nameFault(name: string): string | null {
  if (name.trim() === '') return 'File name is required'
  if (fileName.test(name)) return null
  const dot = name.lastIndexOf('.')
  const ending = dot < 0 ? '' : name.slice(dot)
  const said = 'Invalid file name format'
  if (!uploadTypes.some((type) => type === ending)) return `${said}: the name must end in ${uploadTypes.join(', ')}`
  const wrong = Array.from(name.slice(0, dot)).find((sign) => !/[A-Za-z0-9 _-]/.test(sign))
  if (wrong === undefined) return `${said}: nothing stands before the ending`
  const seen = /^[\p{C}\p{Z}]$/u.test(wrong) ? `U+${wrong.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}` : wrong
  return `${said}: the character ${seen} is not allowed`
}
