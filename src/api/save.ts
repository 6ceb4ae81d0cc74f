import { parse } from 'content-disposition'
import type { Downloaded } from './http.ts'

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
