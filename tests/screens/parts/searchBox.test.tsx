import { act, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import { SearchBox } from '../../../src/parts/SearchBox.tsx'
import { newUser } from '../newUser.ts'

describe('the search box', () => {
  const sent: string[] = []
  let echo: (text: string) => void = () => {}
  const Harness = ({ late }: { late: boolean }) => {
    const [value, setValue] = useState('')
    echo = setValue
    return (
      <SearchBox
        label="Search Merchants"
        placeholder="Search"
        maxLength={12}
        value={value}
        onChange={(text) => {
          sent.push(text)
          if (!late) setValue(text)
        }}
      />
    )
  }
  const box = () => screen.getByRole('searchbox', { name: 'Search Merchants' })

  test('reports every key at once, and clears by its button', async () => {
    sent.length = 0
    render(<Harness late={false} />)
    await newUser().type(box(), 'deli')
    expect(sent).toEqual(['d', 'de', 'del', 'deli'])
    await newUser().click(screen.getByRole('button', { name: 'Clear search' }))
    expect(sent.at(-1)).toBe('')
    expect(box()).toHaveValue('')
    expect(box()).toHaveFocus()
    expect(screen.queryByRole('button', { name: 'Clear search' })).toBeNull()
  })

  test('keeps what is typed when the URL follows late', async () => {
    render(<Harness late />)
    await newUser().type(box(), 'deli')
    act(() => echo('de'))
    expect(box()).toHaveValue('deli')
    act(() => echo('del'))
    expect(box()).toHaveValue('deli')
    await newUser().type(box(), 's')
    act(() => echo('delis'))
    expect(box()).toHaveValue('delis')
  })

  test('takes no more letters than are searched for', async () => {
    render(<Harness late={false} />)
    await newUser().type(box(), 'delicatessen!')
    expect(box()).toHaveValue('delicatessen')
  })

  test('shows what Back brings', async () => {
    render(<Harness late={false} />)
    await newUser().type(box(), 'deli')
    act(() => echo('corner'))
    expect(box()).toHaveValue('corner')
  })
})
