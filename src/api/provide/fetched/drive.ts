import { fromPromise } from 'xstate'
import { downloadMachine, type Downloaded } from '../../../../machines/download.machine.ts'
import { loadMachine } from '../../../../machines/load.machine.ts'
import { driveCalls } from '../../../../schemas/api/drive.ts'
import { saveDownload } from '../../files.ts'
import type { Call } from '../../http.ts'

/** The machines of the shared drive. */
export const provideDrive = (call: Call) => ({
  manifest: loadMachine.provide({
    actors: {
      load: fromPromise<unknown>(async ({ signal }) => (await call(driveCalls.manifest, { signal })).data),
    },
  }),
  download: downloadMachine.provide({
    actors: {
      download: fromPromise<Downloaded, { id: string }>(({ input: { id }, signal, self }) =>
        call(driveCalls.file, {
          params: { id },
          signal,
          onProgress: (percent) => self._parent?.send({ type: 'progress', percent }),
        }),
      ),
    },
    actions: { saveFile: (_, { file }) => saveDownload(file) },
  }),
})
