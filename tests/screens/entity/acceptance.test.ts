import { render, screen } from '@testing-library/react'
import { createElement } from 'react'
import { describe, expect, it } from 'vitest'
import { fromPromise } from 'xstate'
import { loadMachine } from '../../../machines/load.machine.ts'
import type { Acceptances } from '../../../schemas/entities/terms.ts'
import { AcceptanceButton, csvDataUrl } from '../../../src/features/entity/record/Acceptance.tsx'
import { newUser } from '../newUser.ts'

describe('the list of users who have not accepted', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    ['a\rb', '"a\rb"'],
    ['=1', "'=1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['\t=1', "'\t=1"],
    [' =1,2', `"' =1,2"`],
    ['\uff1d1', "'\uff1d1"],
    ['a=1', 'a=1'],
  ])('holds the name %j as %j', (name, field) => {
    const url = csvDataUrl(['ID', 'Name'], [[-7, name]])
    expect(url).toMatch(/^data:text\/csv;charset=utf-8,/)
    expect(decodeURIComponent(url.slice(url.indexOf(',') + 1))).toBe(`ID,Name\r\n-7,${field}\r\n`)
  })
})

describe('the people who accepted a version of the terms', () => {
  const pending = { userid: 7, username: 'bob' }
  it.each([
    [0, 'Everybody has accepted this version', null],
    [1, 'Not accepted yet by 1', 'terms 3 not accepted.csv'],
  ])('with %i who have not: %s', async (count, heading, file) => {
    const answer = {
      data: [],
      pending: Array.from({ length: count }, () => pending),
    } as unknown as Acceptances
    const machineOf = () =>
      loadMachine.provide({ actors: { load: fromPromise<unknown>(async () => answer) } })
    render(createElement(AcceptanceButton, { id: 3, machineOf }))
    await newUser().click(screen.getByRole('button', { name: 'Acceptance by User of version 3' }))
    expect(await screen.findByRole('heading', { name: heading })).toBeVisible()
    const links = screen
      .queryAllByText('Export who has not accepted (CSV)')
      .map((it) => it.closest('a')?.download)
    expect(links).toEqual(file === null ? [] : [file])
  })
})
