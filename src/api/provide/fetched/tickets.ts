import { fromPromise } from 'xstate'
import { downloadMachine, type Downloaded } from '../../../../machines/download.machine.ts'
import { listMachine, type ListResult } from '../../../../machines/list.machine.ts'
import { loadMachine } from '../../../../machines/load.machine.ts'
import { modalMachine, type Draft, type StoredRecord } from '../../../../machines/modal.machine.ts'
import { ticketMachine, type AttachedFile, type TicketInput } from '../../../../machines/ticket.machine.ts'
import type { ListQuery } from '../../../../schemas/api/paging.ts'
import { ticketCalls } from '../../../../schemas/api/tickets.ts'
import { ticketList } from '../../../../schemas/entities/ticket.ts'
import { saveDownload } from '../../files.ts'
import type { Call } from '../../http.ts'
import { provideListFile } from '../lists.ts'
import { provideViews } from '../views.ts'

/** The multipart body of a ticket: its fields first, then the files. */
const ticketFormData = (values: TicketInput, files: readonly AttachedFile[]): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.append(name, String(value ?? ''))
  for (const { content, name } of files) form.append('attachments', content as File, name)
  return form
}

/** The views of the list, its file, and all its rows for printing. */
const toolsOf = (call: Call) => ({
  views: provideViews(call)[ticketList.name]!,
  ...provideListFile(call, ticketCalls.export, (query, signal) => call(ticketCalls.list, { query, signal })),
})

/** The machines of the support tickets. */
export const provideTickets = (call: Call) => ({
  helpdeskForm: loadMachine.provide({
    actors: { load: fromPromise<unknown>(({ signal }) => call(ticketCalls.helpdeskForm, { signal })) },
  }),
  form: ticketMachine.provide({
    actors: {
      send: fromPromise<{ id: number }, { values: TicketInput; files: AttachedFile[] }>(
        ({ input: { values, files }, signal, self }) =>
          call(ticketCalls.create, {
            body: ticketFormData(values, files),
            signal,
            onProgress: (percent) => self._parent?.send({ type: 'progress', percent }),
          }),
      ),
    },
  }),
  list: listMachine.provide({
    actors: {
      load: fromPromise<ListResult, ListQuery>(({ input, signal }) =>
        call(ticketCalls.list, { query: input, signal }),
      ),
    },
  }),
  tools: toolsOf(call),
  modal: modalMachine.provide({
    actors: {
      read: fromPromise<StoredRecord, { id: number | null }>(({ input, signal }) =>
        call(ticketCalls.read, { params: { id: input.id ?? 0 }, signal }),
      ),
      save: fromPromise<unknown, { row: StoredRecord | null; draft: Draft; overwrite: boolean }>(
        async ({ input: { row, draft, overwrite }, signal }) => {
          const params = { id: row?.id ?? 0 }
          const latest = overwrite ? await call(ticketCalls.read, { params, signal }) : row
          return call(ticketCalls.update, { params, body: { ...draft, version: latest?.version }, signal })
        },
      ),
      remove: fromPromise<unknown, { row: StoredRecord | null }>(({ input: { row }, signal }) =>
        call(ticketCalls.remove, { params: { id: row?.id ?? 0 }, version: row?.version, signal }),
      ),
    },
  }),
  /** The id of an attachment is '{ticket}/{attachment}': '12/34'. */
  download: downloadMachine.provide({
    actors: {
      download: fromPromise<Downloaded, { id: string }>(({ input, signal, self }) => {
        const [id = '', file] = input.id.split('/')
        return call(ticketCalls.attachments, {
          params: { id },
          query: { id: Number(file) },
          signal,
          onProgress: (percent) => self._parent?.send({ type: 'progress', percent }),
        })
      }),
    },
    actions: { saveFile: (_, { file }) => saveDownload(file) },
  }),
})
