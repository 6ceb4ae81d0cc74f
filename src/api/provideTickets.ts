import { fromPromise } from 'xstate'
import { downloadMachine } from '../../machines/download.machine.ts'
import { listMachine, type Found, type Query } from '../../machines/list.machine.ts'
import { loadMachine } from '../../machines/load.machine.ts'
import { modalMachine, type Draft, type Stored } from '../../machines/modal.machine.ts'
import { ticketMachine, type File as Chosen, type Values } from '../../machines/ticket.machine.ts'
import { ticketCalls } from '../../schemas/api/tickets.ts'
import { save } from './files.ts'
import type { Call, Downloaded } from './http.ts'

/** The multipart body of a ticket: its fields first, then the files. */
const formOf = (values: Values, files: readonly Chosen[]): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.append(name, String(value ?? ''))
  for (const { content, name } of files) form.append('attachments', content as File, name)
  return form
}

/** The machines of the support tickets with their calls. */
export const wireTickets = (call: Call) => ({
  desk: loadMachine.provide({
    actors: { load: fromPromise<unknown>(({ signal }) => call(ticketCalls.desk, { signal })) },
  }),
  form: ticketMachine.provide({
    actors: {
      send: fromPromise<{ id: number }, { values: Values; files: Chosen[] }>(
        ({ input: { values, files }, signal, self }) =>
          call(ticketCalls.create, {
            body: formOf(values, files),
            signal,
            onProgress: (percent) => self._parent?.send({ type: 'progress', percent }),
          }) as Promise<{ id: number }>,
      ),
    },
  }),
  list: listMachine.provide({
    actors: {
      load: fromPromise<Found, Query>(
        ({ input, signal }) => call(ticketCalls.list, { query: input, signal }) as Promise<Found>,
      ),
    },
  }),
  modal: modalMachine.provide({
    actors: {
      read: fromPromise<Stored, { id: number | null }>(
        ({ input, signal }) =>
          call(ticketCalls.read, { params: { id: input.id ?? 0 }, signal }) as Promise<Stored>,
      ),
      save: fromPromise<unknown, { row: Stored | null; draft: Draft; overwrite: boolean }>(
        async ({ input: { row, draft, overwrite }, signal }) => {
          const params = { id: row?.id ?? 0 }
          const latest = overwrite ? ((await call(ticketCalls.read, { params, signal })) as Stored) : row
          return call(ticketCalls.update, { params, body: { ...draft, version: latest?.version }, signal })
        },
      ),
      remove: fromPromise<unknown, { row: Stored | null }>(({ input: { row }, signal }) =>
        call(ticketCalls.remove, { params: { id: row?.id ?? 0 }, version: row?.version, signal }),
      ),
    },
  }),
  /** An attachment is named by its ticket and its own number: '12/34'. */
  download: downloadMachine.provide({
    actors: {
      download: fromPromise<unknown, { id: string }>(({ input, signal, self }) => {
        const [id = '', file] = input.id.split('/')
        return call(ticketCalls.attachments, {
          params: { id },
          query: { id: file },
          signal,
          onProgress: (percent) => self._parent?.send({ type: 'progress', percent }),
        })
      }),
    },
    actions: { saveFile: (_, { file }) => save(file as Downloaded) },
  }),
})
