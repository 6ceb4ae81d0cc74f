import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { projectFolder } from '../../../../server/config/projectFolder.ts'
import { logFile } from '../../../mbt/pathLog.ts'
import type { Driver } from './driver.ts'

/** Beside the journal while a report is made; pictures of failures are kept in any run. */
const folder = logFile ? dirname(logFile) : join(projectFolder, 'dist/paths')
const drawn = new Set<string>()

const store = (name: string, picture: Buffer): string => {
  const file = join(
    folder,
    'pictures',
    `${createHash('sha256').update(name).digest('hex').slice(0, 16)}.webp`,
  )
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, picture)
  return file
}

/** The first time a state of a model is seen in a run that makes a report: a picture of it, by its file. */
export async function pictureOf(it: Driver, model: string, state: string): Promise<string | null> {
  const name = `${model}: ${state}`
  if (!logFile || !it.picture || drawn.has(name)) return null
  drawn.add(name)
  return store(name, await it.picture())
}

/** What a person saw when a path failed, to be named in the error; '' where nothing is drawn. */
export async function pictureOfFailure(it: Driver, path: string): Promise<string> {
  const picture = await it.picture?.().catch(() => null)
  return picture ? `\nscreenshot: ${relative(projectFolder, store(`failed: ${path}`, picture))}` : ''
}
