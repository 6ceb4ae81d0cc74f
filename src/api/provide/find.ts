import { fromPromise } from 'xstate'
import { findMachine } from '../../../machines/find.machine.ts'
import { findCalls, type FoundKind } from '../../../schemas/api/find/find.ts'
import type { Call } from '../http.ts'

/** The machine of the dialog that finds records everywhere. */
export const provideFind = (call: Call) =>
  findMachine.provide({
    actors: {
      find: fromPromise<readonly FoundKind[], { text: string }>(
        async ({ input, signal }) => (await call(findCalls.find, { query: { q: input.text }, signal })).data,
      ),
    },
  })
