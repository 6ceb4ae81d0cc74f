import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../../../server/config/config.ts'
import { projectFolder } from '../../../server/config/projectFolder.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

export type Served = TestPortal & { origin: string }

/** The real server on a port of its own, with its own database and the portal as it was built last. */
export async function serve(settings: Partial<Config> = {}): Promise<Served> {
  if (!existsSync(join(projectFolder, 'dist/portal/index.html')))
    throw new Error('The portal is not built: npm run build')
  return listening(await openTestPortal(settings))
}

/** A portal on a port of its own. */
export async function listening<W extends TestPortal>(it: W): Promise<W & { origin: string }> {
  await it.app.listen({ port: 0, host: '127.0.0.1' })
  return { ...it, origin: `http://127.0.0.1:${(it.app.server.address() as AddressInfo).port}` }
}
