import type { ImportAnswers, ImportAsks, ImportQuestion } from '../../../schemas/imports/answers.ts'
import { HttpError } from '../../http/errors.ts'

/** The answer (409, code 'asks') to a file about which something must be said first (processors 1). */
export const askAbout = (message: string, asks: ImportAsks) =>
  new HttpError(409, `${message}. Nothing was stored.`, { code: 'asks', asks })

/** Throws HttpError 409 with the questions that the answers do not accept, if there are any (imports 40). */
export function refuseUnacceptedQuestions(
  questions: ImportQuestion[],
  { accepted = [] }: ImportAnswers = {},
): void {
  const open = questions.filter(({ key }) => !accepted.includes(key))
  if (open.length > 0) throw askAbout(open.map(({ text }) => text).join('. '), { questions: open })
}
