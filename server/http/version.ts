import { HttpError } from './errors.ts'

/**
 * The version a write is based on: If-Match or the body's `version` (api 6); null when neither is there.
 * Throws an HttpError (400) when one is no whole number, or when they differ.
 */
export function baseVersion(ifMatch: string | undefined, version: unknown): number | null {
  const inHeader = ifMatch === undefined ? null : Number(/^(?:W\/)?"?(\d+)"?$/.exec(ifMatch)?.[1])
  const given = [inHeader, version ?? null].filter((it) => it !== null) as number[]
  if (!given.every(Number.isInteger))
    throw new HttpError(400, 'If-Match must be the version of the record, a whole number')
  if (new Set(given).size > 1)
    throw new HttpError(
      400,
      'If-Match and the version in the body differ: send the version of the record that was read',
    )
  return given[0] ?? null
}
