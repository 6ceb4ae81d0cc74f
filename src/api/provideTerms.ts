import { fromPromise } from 'xstate'
import { loadMachine } from '../../machines/load.machine.ts'
import { once } from './memoize.ts'
import type { Portal } from './portal.ts'
import { createEntrance } from './sessionClient.ts'

/** The text of the latest terms, for the login page and for the dialog. */
export const wireTerms = once(({ call }: Pick<Portal, 'call'>) =>
  loadMachine.provide({
    actors: { load: fromPromise<unknown>(({ signal }) => createEntrance(call).latestTerms(signal)) },
  }),
)
