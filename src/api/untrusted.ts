/** The value of a JSON text from outside of the program; null for no text, and for one that is not JSON. */
export const parseJson = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** The properties of a value of unknown type; none where it is no object. */
export const propertiesOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
