import { expect, test } from 'vitest'
import { createActor, fromPromise, waitFor } from 'xstate'
import { modalMachine, type Draft, type StoredRecord } from '../../machines/modal.machine.ts'
import { reportMachine, type ReportRequest } from '../../machines/report.machine.ts'
import { uploadMachine, type Imported, type UploadRequest } from '../../machines/upload.machine.ts'
import type { ReportResult, ReportType } from '../../schemas/api/reports.ts'

test('a report that is generated again is of the inputs as they are', async () => {
  const machine = reportMachine.provide({
    actors: {
      types: fromPromise<readonly ReportType[]>(async () => []),
      generate: fromPromise<ReportResult, ReportRequest>(async () => ({}) as ReportResult),
    },
  })
  const actor = createActor(machine, { input: { allowed: { lock: false, unlock: false } } }).start()
  const ready = () => waitFor(actor, (state) => state.matches('ready'))
  actor.send({ type: 'load' })
  await ready()
  actor.send({ type: 'choose', report: { id: 'r', inputs: [] } as unknown as ReportType })
  const stale: boolean[] = []
  for (const values of [{ a: 1 }, { a: 2 }]) {
    actor.send({ type: 'change', values, valid: true })
    stale.push(actor.getSnapshot().context.stale)
    actor.send({ type: 'generate' })
    const { context } = await ready()
    stale.push(context.stale)
    expect(context.resultValues).toEqual(values)
  }
  expect(stale).toEqual([false, false, true, false])
})

test('a record that is read again has no sentence at its fields about what was sent before', async () => {
  const fail = (given: object) => Promise.reject(Object.assign(new Error('No'), given))
  const machine = modalMachine.provide({
    actors: {
      read: fromPromise<StoredRecord, { id: number | null }>(async () => ({ id: 1, version: 1 })),
      save: fromPromise<unknown, { row: StoredRecord | null; draft: Draft; overwrite: boolean }>(() =>
        fail({ status: 422, fields: { name: 'Taken' } }),
      ),
      remove: fromPromise<unknown, { row: StoredRecord | null }>(() => fail({ status: 409, code: 'stale' })),
    },
  })
  const allowed = { create: true, open: true, remove: true }
  const actor = createActor(machine, { input: { allowed } }).start()
  const editing = () => waitFor(actor, (state) => state.matches('editing'))
  actor.send({ type: 'open', id: 1 })
  await editing()
  actor.send({ type: 'change', dirty: true })
  actor.send({ type: 'save', draft: {} })
  expect((await editing()).context.faults).toEqual({ name: 'Taken' })
  actor.send({ type: 'delete' })
  actor.send({ type: 'confirm' })
  const { faults, dirty } = (await editing()).context
  expect({ faults, dirty }).toEqual({ faults: {}, dirty: false })
})

test.each([
  ['a.csv', true],
  ['a.xls', true],
  ['a.CSV', false],
  ['a.csv.txt', false],
  ['a.b.csv', false],
  ['.csv', false],
])('that a file named %s can be sent is %s', (name, isRight) => {
  const actor = createActor(uploadMachine, { input: { kind: 'merchant', dated: false } }).start()
  actor.send({ type: 'choose', file: { content: null, name } })
  expect(actor.getSnapshot().can({ type: 'submit', job: 'j' })).toBe(isRight)
})

test('what was answered about a file stays when more is asked', async () => {
  const sent: UploadRequest['answers'][] = []
  const machine = uploadMachine.provide({
    actors: {
      upload: fromPromise<Imported, UploadRequest>(({ input }) => {
        sent.push(input.answers)
        return Promise.reject(Object.assign(new Error('Look'), { asks: {} }))
      }),
    },
  })
  const actor = createActor(machine, { input: { kind: 'merchant', dated: false } }).start()
  actor.send({ type: 'choose', file: { content: null, name: 'a.csv' } })
  actor.send({ type: 'submit', job: '1' })
  for (const answers of [{ month: '2026-10' }, { processor: 'Aurora' }]) {
    await waitFor(actor, (state) => state.matches('asked'))
    actor.send({ type: 'answer', answers, job: '2' })
  }
  expect(sent).toEqual([{}, { month: '2026-10' }, { month: '2026-10', processor: 'Aurora' }])
})
