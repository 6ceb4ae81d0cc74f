import { fromPromise } from 'xstate'
import { loadMachine } from '../../../machines/load.machine.ts'
import { memoize } from '../memoize.ts'
import type { Portal } from '../portal.ts'
import { sessionClientOf } from '../sessionClient.ts'

/** Loads the latest terms, for the login page and for the dialog. */
export const provideTerms = memoize(({ call }: Pick<Portal, 'call'>) =>
  loadMachine.provide({
    actors: { load: fromPromise<unknown>(({ signal }) => sessionClientOf(call).latestTerms(signal)) },
  }),
)
