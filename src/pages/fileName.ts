import { uploadTypes } from '../../schemas/constants.ts'

const ending = /\.[^.]*$/

/** The nearest name that may be sent; null when the ending is not one of ours, for the content decides that. */
export const cleanName = (name: string): string | null => {
  const end = ending.exec(name)?.[0].toLowerCase() ?? ''
  if (!(uploadTypes as readonly string[]).includes(end)) return null
  const base = name
    .slice(0, name.length - end.length)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\./g, '-')
    .replace(/[^A-Za-z0-9 _-]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
  return `${base === '' ? 'file' : base}${end}`
}
