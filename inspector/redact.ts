const secret =
  /password|token|otp|^code$|pin$|secret|authorization|routing|bankaccount|accountnumber|taxid|ssn|jwt/i

/** A copy that can be sent and shown: values under a secret's name become '***', files their names. */
export const redact = <T>(given: T): T =>
  given === undefined
    ? given
    : (JSON.parse(
        JSON.stringify(given, (key, value: unknown) => {
          if (secret.test(key) && value !== null && value !== '' && typeof value !== 'boolean') return '***'
          if (typeof Blob !== 'undefined' && value instanceof Blob)
            return `[file ${value instanceof File ? value.name : value.type}]`
          return value
        }),
      ) as T)
