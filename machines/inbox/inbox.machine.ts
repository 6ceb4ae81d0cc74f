import { assign, fromPromise, setup } from 'xstate'
import type { InboxAnswers } from '../../schemas/api/inbox/answers.ts'
import type { ImportName } from '../../schemas/imports/imports.ts'
import { notProvided } from '../errors/notProvided.ts'

/**
 * One thing to do with one file; `content` is the browser's File, `kind` what it is taken for if its heading
 * is of none. Without `answers` those given before stay.
 */
export type InboxTask = { filename: string } & (
  | { name: 'add'; content: unknown; kind?: ImportName | undefined }
  | { name: 'check'; id: number; answers?: InboxAnswers }
  | { name: 'import'; id: number; answers: InboxAnswers; again: boolean }
  | { name: 'dismiss'; id: number }
)
/** How a task ended: `message` is null when it was done. */
export type InboxOutcome = Pick<InboxTask, 'name' | 'filename'> & { message: string | null }

type Context = {
  /** The tasks that have not begun, in their order. */
  queue: readonly InboxTask[]
  task: InboxTask | null
  /** How much of the task's file has been sent, 0 to 100. */
  percent: number
  /** Of the tasks since the last time nothing was to do. */
  outcomes: readonly InboxOutcome[]
}

const outcomeOf = (task: InboxTask | null, message: string | null): InboxOutcome[] =>
  task ? [{ name: task.name, filename: task.filename, message }] : []

/**
 * What is done with the files of the inbox, one task after the other (inbox 8): files are added, checked,
 * imported and dismissed. A task that fails does not keep the next from being done. The list is read again
 * after each.
 */
export const inboxMachine = setup({
  types: {
    context: {} as Context,
    events: {} as
      | { type: 'begin'; tasks: readonly InboxTask[] }
      | { type: 'progress'; percent: number }
      | { type: 'cancel' }
      | { type: 'forget' },
  },
  actors: {
    work: fromPromise<unknown, { task: InboxTask | null }>(() => notProvided()),
  },
  guards: { hasMore: ({ context }) => context.queue.length > 0 },
  actions: {
    beginTasks: assign((_, params: { tasks: readonly InboxTask[] }) => ({
      queue: params.tasks,
      outcomes: [],
    })),
    addTasks: assign(({ context }, params: { tasks: readonly InboxTask[] }) => ({
      queue: [...context.queue, ...params.tasks],
    })),
    takeNext: assign(({ context }) => ({
      task: context.queue[0] ?? null,
      queue: context.queue.slice(1),
      percent: 0,
    })),
    keepPercent: assign((_, params: { percent: number }) => ({ percent: params.percent })),
    keepDone: assign(({ context }) => ({
      outcomes: [...context.outcomes, ...outcomeOf(context.task, null)],
    })),
    keepFailure: assign(({ context }, params: { error: unknown }) => ({
      outcomes: [
        ...context.outcomes,
        ...outcomeOf(context.task, params.error instanceof Error ? params.error.message : 'It failed'),
      ],
    })),
    forgetTasks: assign({ queue: [], task: null }),
    forgetOutcomes: assign({ outcomes: [] }),
    reloadList: () => {},
  },
}).createMachine({
  id: 'inbox',
  context: { queue: [], task: null, percent: 0, outcomes: [] },
  initial: 'idle',
  states: {
    idle: {
      on: {
        begin: {
          target: 'working',
          actions: { type: 'beginTasks', params: ({ event }) => ({ tasks: event.tasks }) },
        },
        forget: { actions: 'forgetOutcomes' },
      },
    },
    working: {
      description: 'Further tasks join the queue. Cancelling ends the task under way and the queue.',
      entry: 'takeNext',
      on: {
        begin: { actions: { type: 'addTasks', params: ({ event }) => ({ tasks: event.tasks }) } },
        progress: { actions: { type: 'keepPercent', params: ({ event }) => ({ percent: event.percent }) } },
        cancel: { target: 'idle', actions: ['forgetTasks', 'reloadList'] },
      },
      invoke: {
        id: 'work',
        src: 'work',
        input: ({ context }) => ({ task: context.task }),
        onDone: [
          {
            guard: 'hasMore',
            target: 'working',
            reenter: true,
            actions: ['keepDone', 'reloadList'],
          },
          { target: 'idle', actions: ['keepDone', 'forgetTasks', 'reloadList'] },
        ],
        onError: [
          {
            guard: 'hasMore',
            target: 'working',
            reenter: true,
            actions: [{ type: 'keepFailure', params: ({ event }) => ({ error: event.error }) }, 'reloadList'],
          },
          {
            target: 'idle',
            actions: [
              { type: 'keepFailure', params: ({ event }) => ({ error: event.error }) },
              'forgetTasks',
              'reloadList',
            ],
          },
        ],
      },
    },
  },
})
