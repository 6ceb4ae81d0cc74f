import { fromPromise } from 'xstate'
import { downloadMachine } from '../../machines/download.machine.ts'
import { loadMachine } from '../../machines/load.machine.ts'
import { driveEndpoints, type DriveNode } from '../../schemas/drive.ts'
import type { Call, Downloaded } from './http.ts'
import { save } from './save.ts'

/** The machines of the shared drive with their calls. */
export const wireDrive = (call: Call) => ({
  manifest: loadMachine.provide({
    actors: { load: fromPromise<unknown>(async ({ signal }) => ((await call(driveEndpoints.manifest, { signal })) as { data: DriveNode[] }).data) },
  }),
  download: downloadMachine.provide({
    actors: {
      download: fromPromise<unknown, { id: string }>(({ input: { id }, signal, self }) =>
        call(driveEndpoints.file, { params: { id }, signal, onProgress: (percent) => self._parent?.send({ type: 'progress', percent }) }),
      ),
    },
    actions: { saveFile: (_, { file }) => save(file as Downloaded) },
  }),
})
