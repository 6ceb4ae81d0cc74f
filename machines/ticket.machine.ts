import { assign, fromPromise, setup } from 'xstate'
import type { attachmentLimits } from '../schemas/entities/ticket.ts'
import { errorProperty } from './errors/errorProperty.ts'
import { notProvided } from './errors/notProvided.ts'

/** The type is that of the schemas, which a machine does not import at run time. */
const limits: typeof attachmentLimits = { count: 5, megabytes: 20, bytes: 20 * 1024 * 1024 }

/** A chosen file; `content` is the browser's File. */
export type AttachedFile = { content: unknown; name: string; size: number }
/** The values of the form when it is sent. */
export type TicketInput = Record<string, unknown>
/** The filed ticket; null if it was posted to a help desk elsewhere, whose answer is not read. */
type Filed = { id: number } | null

/**
 * The form of a support ticket (tickets 2, tickets 4, tickets 5): it is sent to the portal, or posted by the
 * browser to a help desk elsewhere. At most 5 attachments of 20 MB each.
 */
export const ticketMachine = setup({
  types: {
    context: {} as {
      files: AttachedFile[]
      /** One message for each file that the last choice left out. */
      refused: string[]
      percent: number
      /** The server's messages, by field. */
      faults: Record<string, string>
      filed: Filed
    },
    events: {} as
      | { type: 'attach'; files: AttachedFile[] }
      | { type: 'detach'; index: number }
      | { type: 'send'; values: TicketInput }
      | { type: 'post' }
      | { type: 'progress'; percent: number }
      | { type: 'cancel' }
      | { type: 'again' },
  },
  actors: {
    send: fromPromise<{ id: number }, { values: TicketInput; files: AttachedFile[] }>(() => notProvided()),
  },
  actions: {
    keepFiles: assign(({ context }, params: { files: AttachedFile[] }) => {
      const small = params.files.filter((file) => file.size <= limits.bytes)
      const room = limits.count - context.files.length
      return {
        files: [...context.files, ...small.slice(0, room)],
        refused: [
          ...params.files
            .filter((file) => file.size > limits.bytes)
            .map((file) => `${file.name} is larger than ${limits.megabytes} MB`),
          ...small
            .slice(room)
            .map((file) => `${file.name} was left out: at most ${limits.count} attachments can be sent`),
        ],
      }
    }),
    dropFile: assign(({ context }, params: { index: number }) => ({
      files: context.files.filter((_, index) => index !== params.index),
      refused: [],
    })),
    forgetProblems: assign({ percent: 0, refused: [], faults: {} }),
    keepPercent: assign((_, params: { percent: number }) => ({ percent: params.percent })),
    keepFaults: assign((_, params: { error: unknown }) => ({
      faults: (errorProperty(params.error, 'fields') ?? {}) as Record<string, string>,
    })),
    keepFiled: assign((_, params: { filed: Filed }) => ({ filed: params.filed })),
    forgetTicket: assign({ files: [], refused: [], faults: {}, filed: null }),
    reloadList: () => {},
  },
}).createMachine({
  id: 'ticket',
  context: { files: [], refused: [], percent: 0, faults: {}, filed: null },
  initial: 'filling',
  states: {
    filling: {
      on: {
        attach: { actions: { type: 'keepFiles', params: ({ event }) => ({ files: event.files }) } },
        detach: { actions: { type: 'dropFile', params: ({ event }) => ({ index: event.index }) } },
        send: 'sending',
        post: 'sent',
      },
    },
    sending: {
      entry: 'forgetProblems',
      on: {
        progress: { actions: { type: 'keepPercent', params: ({ event }) => ({ percent: event.percent }) } },
        cancel: 'filling',
      },
      invoke: {
        id: 'send',
        src: 'send',
        input: ({ context, event }) => ({
          values: event.type === 'send' ? event.values : {},
          files: context.files,
        }),
        onDone: {
          target: 'sent',
          actions: [{ type: 'keepFiled', params: ({ event }) => ({ filed: event.output }) }, 'reloadList'],
        },
        onError: {
          target: 'failed',
          actions: { type: 'keepFaults', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    failed: {
      description: 'Nothing was filed; the form keeps its values and files.',
      on: {
        attach: { actions: { type: 'keepFiles', params: ({ event }) => ({ files: event.files }) } },
        detach: { actions: { type: 'dropFile', params: ({ event }) => ({ index: event.index }) } },
        send: 'sending',
      },
    },
    sent: { on: { again: { target: 'filling', actions: 'forgetTicket' } } },
  },
})
