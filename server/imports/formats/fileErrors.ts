import { HttpError } from '../../http/errors.ts'

/** The answer (422) to a file that cannot be imported as it is; the message says what to do about it. */
export const invalidFile = (message: string) => new HttpError(422, message)

/** The answer (422) to a workbook whose archive or XML breaks the rules of its format (imports 4). */
export const damagedWorkbook = (reason: string) => invalidFile(`The workbook is damaged: ${reason}`)
