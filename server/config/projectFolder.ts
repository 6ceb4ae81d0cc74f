import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const above = (folder: string): string =>
  existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder))

/** The project's own folder, whether the server runs from its sources or from dist/. */
export const home = above(dirname(fileURLToPath(import.meta.url)))
