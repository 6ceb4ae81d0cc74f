import { HttpError } from './errors.ts'

/**
 * The version a write is based on: If-Match or the body's `version` (api 6); null when neither is there.
 * Throws an HttpError (400) when it is no whole number.
 */
export function baseVersion(ifMatch: string | undefined, version: unknown): number | null {
  const inHeader = () => Number(/^(?:W\/)?"?(\d+)"?$/.exec(ifMatch ?? '')?.[1])
  const given = ifMatch === undefined ? (version ?? null) : inHeader()
  if (given !== null && !Number.isInteger(given))
    throw new HttpError(400, 'If-Match must be the version of the record, a whole number')
  return given as number | null
}
