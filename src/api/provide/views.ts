import { fromPromise } from 'xstate'
import { decisionMachine, type DecisionSubject } from '../../../machines/decision.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import { viewCalls, viewLists } from '../../../schemas/api/lists/views.ts'
import type { Call } from '../http.ts'
import { memoize } from '../memoize.ts'

type Decided = { subject: DecisionSubject | null; text: string }

/** The machines of the saved views of each list, by the list's name (views 1). */
export const provideViews = memoize((call: Call) =>
  Object.fromEntries(viewLists.map((list) => [list, viewsOf(call, list)])),
)

const viewsOf = (call: Call, list: string) => ({
  list: loadMachine.provide({
    actors: {
      load: fromPromise<unknown>(
        async ({ signal }) => (await call(viewCalls.list, { query: { list }, signal })).data,
      ),
    },
  }),
  counts: loadMachine.provide({
    actors: {
      load: fromPromise<unknown>(
        async ({ signal }) => (await call(viewCalls.count, { query: { list }, signal })).data,
      ),
    },
  }),
  save: (search: string, isShared: () => boolean) =>
    decisionMachine.provide({
      actors: {
        decide: fromPromise<unknown, Decided>(({ input: { text }, signal }) =>
          call(viewCalls.save, { body: { list, name: text, shared: isShared(), search }, signal }),
        ),
      },
    }),
  remove: decisionMachine.provide({
    actors: {
      decide: fromPromise<unknown, Decided>(({ input: { subject }, signal }) =>
        call(viewCalls.remove, { params: { id: subject?.id ?? 0 }, signal }),
      ),
    },
  }),
})
