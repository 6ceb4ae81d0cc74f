import { notFound } from './errors.ts'

/** The largest number of an integer column. */
const maxId = 2_147_483_647

/** Whether a text is the id of a record. */
export const isId = (text: string): boolean =>
  /^\d{1,10}$/.test(text) && Number(text) >= 1 && Number(text) <= maxId

/** The id in an address. Throws an HttpError (404) that names the record for what is no id. */
export function parseId(text: string, noun: string): number {
  if (!isId(text)) throw notFound(noun)
  return Number(text)
}
