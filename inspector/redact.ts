const secretName =
  /password|token|otp|^code$|pin$|secret|authorization|routing|bankaccount|accountnumber|taxid|ssn|jwt/i

/**
 * A JSON copy without secrets: values whose name is that of a secret become '***', files become their names.
 */
export const redact = <T>(given: T): T =>
  given === undefined
    ? given
    : (JSON.parse(
        JSON.stringify(given, (key, value: unknown) => {
          if (secretName.test(key) && value !== null && value !== '' && typeof value !== 'boolean')
            return '***'
          if (typeof Blob !== 'undefined' && value instanceof Blob)
            return `[file ${value instanceof File ? value.name : value.type}]`
          return value
        }),
      ) as T)
