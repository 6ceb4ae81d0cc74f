import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { noSource } from '../../../schemas/imports/answers.ts'
import type { RunningImport } from '../../../schemas/imports/importReplies.ts'
import { imports } from '../../../schemas/imports/imports.ts'
import { draw } from './importScreen.tsx'

const importUnderWay = (given: Partial<RunningImport> = {}): RunningImport => ({
  job: 'a',
  filename: 'large.csv',
  username: 'bob',
  startedat: 1_777_896_000,
  phase: 'storing',
  done: 1200,
  total: 4800,
  ...given,
})
const list = () => screen.findByRole('list', { name: 'Imports under way' })
const texts = async () =>
  within(await list())
    .getAllByRole('listitem')
    .map((it) => it.textContent)

describe('the imports under way', () => {
  test.each([
    [importUnderWay(), 'Storing the rows, 1,200 of 4,800 rows'],
    [importUnderWay({ phase: 'reading', done: 300, total: null }), 'Reading the file, 300 rows'],
    [importUnderWay({ phase: 'reading', done: 0, total: null }), 'Reading the file'],
    [importUnderWay({ phase: 'checking', done: 0, total: 4800 }), 'Checking the rows, 0 of 4,800 rows'],
    [importUnderWay({ phase: 'waiting', done: 0, total: null }), 'Waiting, you are next'],
    [importUnderWay({ phase: 'waiting', done: 1, total: null }), 'Waiting, 1 before you'],
    [importUnderWay({ phase: 'waiting', done: 2, total: null }), 'Waiting, 2 before you'],
  ])('stand above the history with file, person and progress: %j', async (running, words) => {
    draw(imports.merchant, { running: [running] })
    const [text] = await texts()
    expect(text).toMatch(/^large\.csv by bob, begun May 4, 2026/)
    expect(text?.endsWith(words), text).toBe(true)
  })

  test('are asked for every 2 seconds, and the history is read again when one has ended', async () => {
    const { edge, pass } = draw(imports.merchant, {
      running: [importUnderWay(), importUnderWay({ job: 'b', filename: 'other.csv' })],
    })
    expect(await texts()).toHaveLength(2)
    const [loads, looks] = [edge.loads.length, edge.looks]
    edge.running = [importUnderWay({ done: 2400 })]
    await act(async () => pass(1_999))
    expect(edge.looks).toBe(looks)
    await act(async () => pass(1))
    await waitFor(async () => expect((await texts()).join()).toContain('2,400 of 4,800'))
    expect(edge.looks).toBe(looks + 1)
    await waitFor(() => expect(edge.loads.length).toBe(loads + 1))
    edge.running = []
    await act(async () => pass(2_000))
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Imports under way' })).toBeNull())
    await waitFor(() => expect(edge.loads.length).toBe(loads + 2))
  })

  test('that begin later are seen within 15 seconds, but nothing is asked while the window is hidden', async () => {
    const { edge, pass } = draw(imports.merchant)
    await waitFor(() => expect(edge.looks).toBe(1))
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    onTestFinished(() => hidden.mockRestore())
    await act(async () => pass(15_000))
    expect(edge.looks).toBe(1)
    hidden.mockReturnValue(false)
    edge.running = [importUnderWay()]
    await act(async () => pass(14_999))
    expect(edge.looks).toBe(1)
    await act(async () => pass(1))
    expect(await texts()).toHaveLength(1)
  })

  test('are asked for again after 15 seconds where the question was not answered', async () => {
    const { edge, pass } = draw(imports.merchant)
    await waitFor(() => expect(edge.looks).toBe(1))
    edge.isAway = true
    await act(async () => pass(15_000))
    await waitFor(() => expect(edge.looks).toBe(2))
    edge.isAway = false
    edge.running = [importUnderWay()]
    await act(async () => pass(15_000))
    expect(await texts()).toHaveLength(1)
  })

  test('leave out the one whose progress the form shows, also just after it has ended', async () => {
    const { edge, pass, choose } = draw(imports.merchant)
    await waitFor(() => expect(edge.looks).toBe(1))
    await choose('merchants.csv')
    await act(async () => screen.getByRole('button', { name: 'Submit' }).click())
    const job = edge.uploads[0]!.input.job!.id
    edge.running = [importUnderWay({ job, filename: 'own.csv' }), importUnderWay()]
    await act(async () => pass(15_000))
    await waitFor(async () => expect((await texts()).join()).toMatch(/^large/))
    expect(await texts()).toHaveLength(1)
    const figures = { inserted: 1, updated: 0, unchanged: 0, totals: {}, warnings: [], ignored: [] }
    await act(async () => edge.uploads[0]!.answer({ source: noSource, ...figures }))
    // It is still in the last answer about what is under way.
    expect(await texts()).toHaveLength(1)
  })
})
