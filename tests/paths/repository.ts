import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'

const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`

/** What `git fast-import` reads: a commit a list of files, on the branch main. */
const streamOf = (commits: readonly Record<string, string>[]) =>
  commits
    .flatMap((files, second) => [
      `commit refs/heads/main\ncommitter Test <test@example.com> ${second} +0000\n${data('change')}`,
      ...Object.entries(files).map(([name, text]) => `M 100644 inline ${name}\n${data(text)}`),
    ])
    .join('')

/**
 * Makes a repository with a commit a list of files, and returns its folder. One process writes all commits:
 * two for each of forty would take half a minute on a busy machine.
 */
export function repository(...commits: Record<string, string>[]) {
  const folder = mkdtempSync(join(tmpdir(), 'portal-commits-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const git = (args: string[], input = '') => {
    const { status, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', input })
    expect(status, stderr).toBe(0)
  }
  git(['init', '--quiet', '--initial-branch=main'])
  git(['fast-import', '--quiet'], streamOf(commits))
  git(['reset', '--quiet', '--hard'])
  return folder
}
