import { mimeOf } from './mime.ts'

/** What Google's own kinds of document begin with. */
export const googlePrefix = 'application/vnd.google-apps.'

const endings: Readonly<Record<string, string>> = { document: '.docx', spreadsheet: '.xlsx', presentation: '.pptx', drawing: '.pdf' }

/** What a document of Google's own kinds is exported as; null where that is not possible. */
export function exportOf(mimeType: string): { ending: string; mimeType: string } | null {
  const ending = endings[mimeType.slice(googlePrefix.length)]
  return ending ? { ending, mimeType: mimeOf(ending) } : null
}
