import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const findPackageFolder = (folder: string): string =>
  existsSync(join(folder, 'package.json')) ? folder : findPackageFolder(dirname(folder))

/** The project's own folder, whether the server runs from its sources or from dist/. */
export const projectFolder = findPackageFolder(dirname(fileURLToPath(import.meta.url)))
