import { importAnswers, type ImportAnswers } from '../../schemas/imports/answers.ts'
import { HttpError } from '../http/errors.ts'
import { bodyCheck } from '../http/schemas.ts'

const check = bodyCheck(importAnswers)

/**
 * The answers in the field `answers` of an upload, {} where the field is missing or blank. Throws HttpError
 * 422 with a sentence for what is no JSON or not of its schema (processors 1).
 */
export function parseAnswers(text: string | undefined): ImportAnswers {
  if (text === undefined || text.trim() === '') return {}
  const refuse = (message: string): never => {
    throw new HttpError(422, message, { fields: { answers: message } })
  }
  try {
    return check(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return refuse('The answers about the file are not JSON')
    if (error instanceof HttpError)
      return refuse(`The answers about the file are not valid: ${error.message}`)
    throw error
  }
}
