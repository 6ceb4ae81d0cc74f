import type { Config } from '../config.ts'
import type { Drive } from './drive.ts'
import { folderDrive } from './folder.ts'
import { googleDrive } from './google.ts'

/** The shared drive as it is configured. */
export const openDrive = ({ drive }: Pick<Config, 'drive'>, secret: Buffer): Drive =>
  'google' in drive ? googleDrive(drive.google) : folderDrive({ ...drive, secret })
