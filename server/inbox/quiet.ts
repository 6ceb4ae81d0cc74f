/** Size, time of change and inode of a file: while it is written or replaced, one of them changes. */
export type Seen = { size: number; mtimeMs: number; ino: number }
export type FolderFile = Seen & { name: string }

export const isSame = (one: Seen, other: Seen) =>
  one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino

/** Answers which of the files of a look have been the same for long enough. */
export type Quiet = (files: readonly FolderFile[]) => FolderFile[]

/**
 * Remembers since when each file is as it is. The clock is the portal's and the time counts from the first
 * look that saw the file so, because the time on the file is that of another machine, or one that its sender
 * has set. A file that is missing from a look begins anew (inbox 3).
 */
export function createQuiet(milliseconds: number, now: () => number): Quiet {
  let last = new Map<string, { file: FolderFile; since: number }>()
  return (files) => {
    const at = now()
    const current = files.map((file) => {
      const before = last.get(file.name)
      return { file, since: before && isSame(before.file, file) ? before.since : at }
    })
    last = new Map(current.map((it) => [it.file.name, it]))
    return current.filter(({ since }) => at - since >= milliseconds).map(({ file }) => file)
  }
}
