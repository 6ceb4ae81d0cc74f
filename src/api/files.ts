import { parse } from 'content-disposition'
import type { Downloaded } from '../../machines/download.machine.ts'
import type { UploadForm } from '../../machines/upload.machine.ts'

/**
 * The multipart body of an upload. The file comes last, because the server reads it as it arrives. A day goes
 * with it twice: as a midnight of this browser, and as the calendar day, which rules (imports 30).
 */
export const uploadFormData = ({ file, date, answers }: UploadForm): FormData => {
  const form = new FormData()
  if (date !== null) {
    form.append('date', String(localMidnight(date)))
    form.append('day', date)
  }
  if (Object.keys(answers).length > 0) form.append('answers', JSON.stringify(answers))
  if (file) form.append('file', file.content as File, file.name)
  return form
}

/**
 * Epoch seconds of the midnight at which an ISO calendar day begins in the browser's time zone (constants 5).
 */
const localMidnight = (day: string): number => {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  return Math.floor(new Date(year, month - 1, date).getTime() / 1000)
}

/** Saves a file through the browser, under the name the server gave it. */
export function saveDownload({ content, disposition }: Downloaded): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = parse(disposition).parameters['filename'] ?? 'download'
  document.body.appendChild(link)
  link.click()
  link.remove()
  // Later, because the browser may not have started reading.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
