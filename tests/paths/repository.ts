import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'

/** Makes a repository with a commit a list of files, and returns its folder. */
export function repository(...commits: Record<string, string>[]) {
  const folder = mkdtempSync(join(tmpdir(), 'portal-commits-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
    const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' })
    expect(status, stderr).toBe(0)
  }
  git('init', '--quiet')
  for (const files of commits) {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    git('add', '.')
    git('commit', '--quiet', '--message', 'change')
  }
  return folder
}
