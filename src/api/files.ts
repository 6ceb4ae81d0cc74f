import { parse } from 'content-disposition'
import type { Draft, Stored } from '../../machines/modal.machine.ts'
import type { Form } from '../../machines/upload.machine.ts'
import type { Downloaded } from './http.ts'

/** The multipart body of an upload: the day first, for the server reads the parts as they come. */
export const fileForm = ({ file, date }: Form): FormData => {
  const form = new FormData()
  if (date !== null) form.append('date', String(localMidnight(date)))
  if (file) form.append('file', file.content as File, file.name)
  return form
}

/** Epoch seconds of the midnight with which an ISO calendar day begins in this browser's zone (specification, section 9). */
export const localMidnight = (day: string): number => {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  return Math.floor(new Date(year, month - 1, date).getTime() / 1000)
}

/** The fields of a draft that differ from the row it began as: an overwrite must not undo what others did elsewhere. */
export const changesOf = (draft: Draft, row: Stored): Draft =>
  Object.fromEntries(
    Object.entries(draft).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(row[field])),
  )

/** Hands a file to the browser's downloads, under the name the server gave it. */
export function save({ content, disposition }: Downloaded): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = parse(disposition).parameters['filename'] ?? 'download'
  document.body.appendChild(link)
  link.click()
  link.remove()
  // Not at once: the browser may not have begun to read.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
