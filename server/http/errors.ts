/**
 * The error of a call, answered with `status` (errors 1). `message` is for a person to read; `fields` says
 * what is wrong with which field of the body; `extra` joins the answer as it is (`rows` and `more` of a
 * refused file, `code: 'stale'` of a lost update).
 */
export class HttpError extends Error {
  readonly status: number
  readonly fields: Record<string, string> | undefined
  readonly extra: Record<string, unknown>
  constructor(
    status: number,
    message: string,
    { fields, ...extra }: { fields?: Record<string, string> } & Record<string, unknown> = {},
  ) {
    super(message)
    this.status = status
    this.fields = fields
    this.extra = extra
  }
}

export const notFound = (noun: string) => new HttpError(404, `This ${noun} does not exist`)

/** Refuses to sort a list by something else than these fields. */
export const sortError = (fields: readonly string[]) =>
  new HttpError(400, `sort must be one of ${fields.join(', ')}, or one with a leading -`)

/** Whether an error of the system is that of a full disk, or of a quota. */
export const isFullDisk = ({ code }: { code?: string }): boolean =>
  code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
