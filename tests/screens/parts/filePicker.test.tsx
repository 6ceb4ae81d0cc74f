import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { FilePicker } from '../../../src/parts/FilePicker.tsx'

test.each([
  [false, false, ['a.csv']],
  [true, false, ['a.csv', 'b.csv']],
  [false, true, []],
  [true, true, []],
])('of two dropped files, with several: %s, closed: %s, these are taken: %j', (multiple, disabled, taken) => {
  const names: string[] = []
  render(
    <FilePicker
      accept={['.csv']}
      multiple={multiple}
      disabled={disabled}
      onChoose={({ name }) => names.push(name)}
    />,
  )
  const files = ['a.csv', 'b.csv'].map((name) => new File([''], name))
  const area = screen.getByText(/^or drop /)
  // The browser opens a file that is dropped on the page, which ends everything on it.
  expect(fireEvent.dragOver(area)).toBe(false)
  expect(fireEvent.drop(area, { dataTransfer: { files } })).toBe(false)
  expect(names).toEqual(taken)
})

test('the same file can be chosen again once it is corrected', () => {
  const names: string[] = []
  render(<FilePicker accept={['.csv']} onChoose={({ name }) => names.push(name)} />)
  const input = screen.getByLabelText<HTMLInputElement>('File')
  const emptied = vi.spyOn(input, 'value', 'set')
  fireEvent.change(input, { target: { files: [new File([''], 'a.csv')] } })
  expect(names).toEqual(['a.csv'])
  expect(emptied).toHaveBeenLastCalledWith('')
})

test('giving up a choice calls the newest listener once, however often the picker was drawn', () => {
  const told: number[] = []
  const picker = (drawing: number) => (
    <FilePicker accept={[]} onChoose={() => {}} onCancel={() => told.push(drawing)} />
  )
  const { rerender } = render(picker(1))
  for (const drawing of [2, 3]) rerender(picker(drawing))
  fireEvent(screen.getByLabelText('File'), new Event('cancel'))
  expect(told).toEqual([3])
})
