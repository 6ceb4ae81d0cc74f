import { afterEach, expect, test, vi } from 'vitest'
import { saveDownload } from '../../../src/api/files.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a file is saved under its name, and its address stays for a minute in which the browser reads it', () => {
  vi.useFakeTimers()
  const revoked = vi.spyOn(URL, 'revokeObjectURL')
  const saved: [name: string, address: string][] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push([this.download, this.href])
  })
  saveDownload({ content: new Blob(['x']), disposition: 'attachment; filename="May 2026.csv"' })
  expect(saved).toEqual([['May 2026.csv', expect.stringMatching(/^blob:/)]])
  expect(document.querySelector('a[download]')).toBeNull()
  vi.advanceTimersByTime(59_999)
  expect(revoked).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(revoked.mock.calls).toEqual([[saved[0]![1]]])
})

test('a file without a name is saved as a download', () => {
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  saveDownload({ content: new Blob(['x']), disposition: 'attachment' })
  expect(names).toEqual(['download'])
})
