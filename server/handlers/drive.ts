import type { Call } from '../call.ts'
import type { Config } from '../config.ts'
import { openDrive } from '../drive/open.ts'
import { announce, askedSpan, untilGone } from '../sending.ts'

export const driveHandlers = (config: Pick<Config, 'drive'>, secret: Buffer) => {
  const drive = openDrive(config, secret)
  return {
    manifest: async () => ({ data: await drive.tree() }),
    async file({ params, request, reply }: Call<{ id: string }>) {
      const file = await drive.open(params.id)
      try {
        const span = askedSpan(request, reply, file)
        const content = await file.read(span, untilGone(reply))
        announce(reply, file, span)
        return content
      } catch (error) {
        await file.close?.()
        throw error
      }
    },
  }
}
