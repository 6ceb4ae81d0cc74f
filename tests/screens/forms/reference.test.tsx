import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { LookupRow } from '../../../schemas/entities/lookups.ts'
import { agents, drawForm } from './form.tsx'

const row = {
  id: 7,
  version: 3,
  name: 'Old',
  agent: 1,
  merchant: 5,
  labels: { agent: 'MA0001 - North', merchant: '000123 - Cafe' },
}
const offered = () => within(screen.getByRole('listbox')).getAllByRole('option')
const agent = () => screen.getByRole('combobox', { name: 'Agent' })
/** Its name is on its way, and it has the focus. */
const late = () => {
  let answer: (rows: LookupRow[]) => void = () => {}
  const lookup = (_to: string, _search: string, id: number | null) =>
    new Promise<LookupRow[]>((done) => (id === null ? done([]) : (answer = done)))
  const { user } = drawForm({ row: { ...row, labels: { merchant: '000123 - Cafe' } }, searchRecords: lookup })
  act(() => agent().focus())
  return { user, name: (rows: LookupRow[]) => answer(rows) }
}

describe('a reference is picked by its name', () => {
  test('it shows the name that came with the row, without asking', () => {
    const { lookup } = drawForm({ row })
    expect(agent()).toHaveDisplayValue('MA0001 - North')
    expect(lookup).not.toHaveBeenCalled()
  })
  test('it asks for the name of an id that came without one', async () => {
    const { lookup } = drawForm({ row: { ...row, labels: { merchant: '000123 - Cafe' } } })
    await waitFor(() => expect(agent()).toHaveDisplayValue('MA0001 - North'))
    expect(lookup).toHaveBeenCalledExactlyOnceWith('masteragent', '', 1, expect.any(AbortSignal))
  })
  test('a name that comes when the field has the focus is replaced by what is typed', async () => {
    const { user, name } = late()
    await act(async () => name(agents))
    expect(agent()).toHaveDisplayValue('MA0001 - North')
    await user.keyboard('eas')
    expect(agent()).toHaveDisplayValue('eas')
  })
  test('a name that comes when something is typed already leaves that alone', async () => {
    const { user, name } = late()
    await user.keyboard('ea')
    await act(async () => name(agents))
    await user.keyboard('s')
    expect(agent()).toHaveDisplayValue('eas')
  })
  test('what is found comes into sight, and the field stays there', async () => {
    const { user } = drawForm({ row })
    const scrolled: unknown[] = []
    const spy = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      scrolled.push(this)
    })
    onTestFinished(() => spy.mockRestore())
    await user.click(agent())
    await waitFor(offered)
    expect(scrolled.slice(-2)).toEqual([screen.getByRole('listbox').parentElement, agent()])
  })
  test('it is searched 700 ms after the last letter, once', () => {
    const { lookup } = drawForm({ row })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      fireEvent.change(agent(), { target: { value: 'sou' } })
      act(() => void vi.advanceTimersByTime(699))
      fireEvent.change(agent(), { target: { value: 'sout' } })
      act(() => void vi.advanceTimersByTime(699))
      expect(lookup).not.toHaveBeenCalled()
      act(() => void vi.advanceTimersByTime(1))
      expect(lookup).toHaveBeenCalledExactlyOnceWith('masteragent', 'sout', null, expect.any(AbortSignal))
    } finally {
      vi.useRealTimers()
    }
  })
  test('it is searched at once by Enter, which sends no form; a second Enter takes the first that was found', async () => {
    const { lookup, onSave } = drawForm()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      fireEvent.change(agent(), { target: { value: ' ea ' } })
      expect(fireEvent.keyDown(agent(), { key: 'Enter' })).toBe(false)
      await act(async () => void vi.advanceTimersByTime(0))
      expect(lookup).toHaveBeenCalledExactlyOnceWith('masteragent', 'ea', null, expect.any(AbortSignal))
      expect(agent()).toHaveDisplayValue(' ea ')
      expect(screen.getByText('1 found')).toBeVisible()
      await act(async () => void vi.advanceTimersByTime(5000))
      expect(lookup).toHaveBeenCalledOnce()
      fireEvent.keyDown(agent(), { key: 'Enter' })
      expect(agent()).toHaveDisplayValue('MA0003 - East')
      expect(onSave).not.toHaveBeenCalled()
    } finally {
      vi.useRealTimers()
    }
  })
  test('the records that were found stay, and none of them is active, while the next search runs', async () => {
    const lookup = async (_to: string, search: string) =>
      search === '' ? agents : new Promise<LookupRow[]>(() => {})
    const { user } = drawForm({ row, searchRecords: lookup })
    await user.click(agent())
    const said = await screen.findByText('3 found')
    await user.keyboard('{ArrowDown}e')
    await waitFor(() => expect(said).toBeEmptyDOMElement())
    expect(offered()).toHaveLength(3)
    expect(agent()).not.toHaveAttribute('aria-activedescendant')
  })
  test('a record whose name cannot be read is shown by its number', async () => {
    const lookup = () => Promise.reject(new Error('There is no such record'))
    drawForm({ row: { ...row, labels: { merchant: '000123 - Cafe' } }, searchRecords: lookup })
    await waitFor(() => expect(agent()).toHaveDisplayValue('#1'))
  })
  type Answer = (rows: LookupRow[] | Error) => void
  test.each<[what: string, late: LookupRow[] | Error]>([
    ['an answer', agents],
    ['a failure', new Error('The server cannot be reached')],
  ])('%s that comes late never replaces the answer to the last search', async (_, late) => {
    const answers: Answer[] = []
    const signals: AbortSignal[] = []
    const lookup = (_to: string, _search: string, _id: number | null, signal: AbortSignal) => {
      signals.push(signal)
      return new Promise<LookupRow[]>((found, failed) =>
        answers.push((it) => (it instanceof Error ? failed(it) : found(it))),
      )
    }
    const { user } = drawForm({ row, searchRecords: lookup })
    await user.click(agent())
    await waitFor(() => expect(answers).toHaveLength(1))
    await user.type(agent(), 'e')
    await waitFor(() => expect(answers).toHaveLength(2))
    expect(signals[0]?.aborted).toBe(true)
    await act(async () => answers[1]?.([agents[2]!]))
    await act(async () => answers[0]?.(late))
    expect(offered().map((option) => option.textContent)).toEqual(['MA0003 - East'])
  })

  test.each<[what: string, labels: Record<string, string>, isSearched: boolean]>([
    ['the name of a record', { merchant: '000123 - Cafe' }, false],
    ['a search', row.labels, true],
  ])('%s is waited for no longer once the form is gone', async (_, labels, isSearched) => {
    const signals: AbortSignal[] = []
    const lookup = (_to: string, _search: string, _id: number | null, signal: AbortSignal) => {
      signals.push(signal)
      return new Promise<LookupRow[]>(() => {})
    }
    const { user } = drawForm({ row: { ...row, labels }, searchRecords: lookup })
    if (isSearched) await user.click(agent())
    await waitFor(() => expect(signals).toHaveLength(1))
    cleanup()
    expect(signals[0]!.aborted).toBe(true)
  })
})

describe('by keyboard alone', () => {
  test('arrows choose, Enter takes, and the choice is sent', async () => {
    const { user, save, onSave } = drawForm({ row })
    await user.tripleClick(agent())
    await screen.findByText('3 found')
    await user.keyboard('{ArrowDown}')
    expect(agent()).toHaveAttribute('aria-activedescendant', offered()[0]!.id)
    await user.keyboard('{ArrowDown}')
    // The one that is stored is selected, whichever is gone to.
    const selected = offered().filter((it) => it.getAttribute('aria-selected') === 'true')
    expect(selected.map(({ textContent }) => textContent)).toEqual(['MA0001 - North'])
    expect(agent()).toHaveAttribute(
      'aria-activedescendant',
      screen.getByRole('option', { name: 'MA0002 - South' }).id,
    )
    await user.keyboard('{Enter}')
    expect(agent()).toHaveDisplayValue('MA0002 - South')
    expect(agent()).toHaveAttribute('aria-expanded', 'false')
    expect(onSave).not.toHaveBeenCalled()
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 3, agent: 2 })
  })
  test('an arrow up in the list that was just opened goes to its last', async () => {
    const { user } = drawForm({ row })
    await user.click(agent())
    await screen.findByText('3 found')
    await user.keyboard('{ArrowUp}')
    expect(agent()).toHaveAttribute('aria-activedescendant', offered()[2]!.id)
    await user.keyboard('{ArrowDown}')
    expect(agent()).toHaveAttribute('aria-activedescendant', offered()[0]!.id)
  })
  test('the first that matches what was typed is taken by Enter', async () => {
    const { user } = drawForm()
    await user.type(agent(), 'ea')
    await screen.findByText('1 found')
    await user.keyboard('{Enter}')
    expect(agent()).toHaveDisplayValue('MA0003 - East')
  })
  test('Escape closes the list, puts the name back and goes no further', async () => {
    const outside: string[] = []
    const listen = ({ key }: KeyboardEvent) => outside.push(key)
    document.body.addEventListener('keydown', listen)
    const { user, onChange } = drawForm({ row })
    await user.tripleClick(agent())
    await user.keyboard('xyz')
    await screen.findByText("Nothing found for 'xyz'")
    expect(agent()).not.toHaveAttribute('aria-activedescendant')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('listbox')).toBeNull()
    expect(agent()).toHaveDisplayValue('MA0001 - North')
    expect(onChange).not.toHaveBeenCalled()
    expect(outside).toContain('z')
    expect(outside).not.toContain('Escape')
    document.body.removeEventListener('keydown', listen)
  })
  test('leaving a half-typed search puts the name back', async () => {
    const { user } = drawForm({ row })
    await user.tripleClick(agent())
    await user.keyboard('so')
    await user.tab()
    expect(agent()).toHaveDisplayValue('MA0001 - North')
  })
})

describe('emptied', () => {
  test('a reference that may be null is cleared by its button', async () => {
    const { user, save, onSave } = drawForm({ row })
    await user.click(screen.getByRole('button', { name: 'Clear Merchant' }))
    expect(screen.getByRole('combobox', { name: 'Merchant' })).toHaveDisplayValue('')
    expect(screen.getByRole('combobox', { name: 'Merchant' })).toHaveFocus()
    await save()
    expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 3, merchant: null })
  })
  test.each([
    [false, 1],
    [true, 0],
  ])('while the form is sent (%s) there are %i such buttons', (busy, count) => {
    drawForm({ row, busy })
    expect(screen.queryAllByRole('button', { name: 'Clear Merchant' })).toHaveLength(count)
  })
  test('one that must be chosen has no such button, and says so when its text is deleted', async () => {
    const { user, save, onSave } = drawForm({ row })
    expect(screen.queryByRole('button', { name: 'Clear Agent' })).toBeNull()
    await user.clear(agent())
    await save()
    expect(agent()).toHaveAccessibleDescription('Agent is required')
    expect(onSave).not.toHaveBeenCalled()
  })
})

test('where no record may be meant, that is the first of the list', async () => {
  const { user, save, onSave } = drawForm({
    row: { ...row, above: 2, labels: { ...row.labels, above: 'MA0002 - South' } },
  })
  await user.click(screen.getByRole('combobox', { name: 'Above' }))
  await screen.findByText('4 found')
  expect(offered()[0]).toHaveTextContent('0 - None (top level)')
  await user.click(offered()[0]!)
  await save()
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ version: 3, above: 0 })
})

test('where no record may be meant, that is found by its name in any case', async () => {
  const { user } = drawForm({
    row: { ...row, above: 2, labels: { ...row.labels, above: 'MA0002 - South' } },
  })
  await user.type(screen.getByRole('combobox', { name: 'Above' }), ' NONE')
  await waitFor(() => expect(offered()[0]).toHaveTextContent('0 - None (top level)'), { timeout: 3_000 })
})

describe('what the list says', () => {
  test.each<[string, () => Promise<LookupRow[]>, string]>([
    ['how many were found', async () => agents, '3 found'],
    ['that there is nothing', async () => [], 'Nothing to choose from'],
    [
      'that there may be more',
      async () => Array.from({ length: 20 }, (_, at) => ({ id: at + 1, displayid: 'MA', name: 'A' })),
      'The first 20: type to narrow the list',
    ],
    ['that it could not be loaded', () => Promise.reject(new Error('no')), 'The list could not be loaded'],
  ])('it says %s', async (_, lookup, sentence) => {
    const { user } = drawForm({ row, searchRecords: lookup })
    await user.click(agent())
    expect(await screen.findByText(sentence)).toBeVisible()
  })
})
