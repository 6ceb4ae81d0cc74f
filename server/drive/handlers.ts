import type { Config } from '../config/config.ts'
import type { Handlers } from '../http/call.ts'
import { setDownloadHeaders, requestedRange, abortOnDisconnect } from '../http/fileResponse.ts'
import type { Drive } from './drive.ts'
import { folderDrive } from './folder.ts'
import { googleDrive } from './google.ts'

const openDrive = ({ drive }: Pick<Config, 'drive'>, secret: Buffer): Drive =>
  'google' in drive ? googleDrive(drive.google) : folderDrive({ ...drive, secret })

export const driveHandlers = (config: Pick<Config, 'drive'>, secret: Buffer): Handlers['drive'] => {
  const drive = openDrive(config, secret)
  return {
    manifest: async () => ({ data: await drive.tree() }),
    async file({ params, request, reply }) {
      const file = await drive.open(params.id)
      try {
        const range = requestedRange(request, reply, file)
        const content = await file.read(
          range,
          abortOnDisconnect(reply, 'The download was cancelled', () => reply.raw.writableFinished),
        )
        setDownloadHeaders(reply, file, range)
        return content
      } catch (error) {
        await file.close?.()
        throw error
      }
    },
  }
}
