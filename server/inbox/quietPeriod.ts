/** Size, time of change and inode of a file: while it is written or replaced, one of them changes. */
type FileStamp = { size: number; mtimeMs: number; ino: number }
export type FolderFile = FileStamp & { name: string }

export const isSameStamp = (one: FileStamp, other: FileStamp) =>
  one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino

/** Which files of a folder, as they are now, have not changed for the whole quiet period. */
export type QuietFiles = (files: readonly FolderFile[]) => FolderFile[]

/**
 * Remembers since when each file is as it is; `milliseconds` is the quiet period. The clock is the portal's,
 * and the period counts from the first call that saw the file so, because the time on the file is that of
 * another machine, or one that its sender has set. For a file that is missing from a call it begins again
 * (inbox 3).
 */
export function quietPeriod(milliseconds: number, now: () => number): QuietFiles {
  let last = new Map<string, { file: FolderFile; since: number }>()
  return (files) => {
    const at = now()
    const current = files.map((file) => {
      const before = last.get(file.name)
      return { file, since: before && isSameStamp(before.file, file) ? before.since : at }
    })
    last = new Map(current.map((it) => [it.file.name, it]))
    return current.filter(({ since }) => at - since >= milliseconds).map(({ file }) => file)
  }
}
