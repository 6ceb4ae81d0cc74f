import type { Saved } from './driver.ts'

/**
 * Stands in for a browser: keeps what a page saves through a link to a blob, and holds back forms it would
 * post elsewhere.
 */
export function catchSaved() {
  const blobs = new Map<string, Blob>()
  const files: Promise<Saved>[] = []
  const { createObjectURL } = URL
  URL.createObjectURL = (blob: Blob) => {
    const url = `blob:portal/${blobs.size}`
    blobs.set(url, blob)
    return url
  }
  const hear = (event: Event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[download]') : null
    const blob = link && blobs.get(link.href)
    if (!blob) return
    event.preventDefault()
    files.push(blob.text().then((content) => ({ name: link.download, content })))
  }
  const hold = (event: Event) => event.preventDefault()
  document.addEventListener('click', hear, true)
  document.addEventListener('submit', hold)
  return {
    files: () => Promise.all(files),
    stop() {
      document.removeEventListener('click', hear, true)
      document.removeEventListener('submit', hold)
      URL.createObjectURL = createObjectURL
    },
  }
}
