import { hasUnseen, unseen } from './fields.ts'

/**
 * The form in which names are compared: two spellings of one name have the same (users 8). NFKC; every letter
 * small, then in capitals, then small again; NFKC. The three steps are needed, because some small letters
 * share a capital and some capitals have no small letter of their own; the last one goes character by
 * character, because JavaScript writes a sigma at the end of a word in another way. Folding twice changes
 * nothing.
 */
export const foldName = (name: string): string =>
  Array.from(name.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC'), (character) =>
    character.toLowerCase(),
  )
    .join('')
    .normalize('NFKC')

/**
 * Letters of Latin alphabets in use: without the phonetic and historic ones, many of which look like
 * others.
 */
const latin = [
  'a-zA-Z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u017f\\u01a0\\u01a1\\u01af\\u01b0\\u01cd-\\u01dc',
  '\\u0218-\\u021b\\u1e00-\\u1eff',
].join('')
const scripts =
  'Greek,Cyrillic,Armenian,Georgian,Hebrew,Arabic,Devanagari,Bengali,Gurmukhi,Gujarati,Tamil,Telugu,' +
  'Kannada,Malayalam,Sinhala,Thai,Lao,Khmer,Myanmar,Ethiopic'
/** The ways of writing of which a name may hold one; Japanese and Korean write with several scripts. */
const writings = [
  new RegExp(`^[${latin}]*$`, 'u'),
  ...scripts.split(',').map((script) => new RegExp(`^\\p{Script=${script}}*$`, 'u')),
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]*$/u,
  /^[\p{Script=Han}\p{Script=Hangul}]*$/u,
]

/** Greek and Cyrillic letters that look like Latin ones. */
const latinLookAlikes = /^[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυικϳАВЕЅЗІЈКМНОРСТУХаеіјорсухѕһԁԛԝѵӏ]+$/u

/** What is wrong with the letters of a new username, in one sentence; null when nothing is (users 8). */
export function usernameFault(username: string): string | null {
  const name = username.normalize('NFKC')
  if (hasUnseen(username)) return `Username ${unseen}`
  const strange = Array.from(username.normalize('NFC')).find(
    (character) => character.normalize('NFKC') !== character || !/[\p{L}\p{M}0-9 ._@+'-]/u.test(character),
  )
  if (strange !== undefined)
    return `Username may hold letters, digits, spaces and . _ - @ + ', but not ${strange}`
  const letters = name.replace(/[^\p{L}]/gu, '')
  if (!writings.some((writing) => writing.test(letters)))
    return 'Username must be written in the letters of one alphabet'
  if (latinLookAlikes.test(letters)) return 'Username looks like one in Latin letters'
  return /(^|[^\p{L}\p{M}])\p{M}|\p{M}{3}/u.test(name)
    ? 'Username holds an accent without its letter, or more than two on one'
    : null
}
