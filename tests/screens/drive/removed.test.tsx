import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fromPromise } from 'xstate'
import { downloadMachine, type Downloaded } from '../../../machines/download.machine.ts'
import { loadMachine } from '../../../machines/load.machine.ts'
import { folderType, type DriveNode } from '../../../schemas/api/drive.ts'
import { Failure } from '../../../src/api/failure.ts'
import { DrivePage } from '../../../src/features/drive/DrivePage.tsx'
import { newUser } from '../newUser.ts'

const node = (name: string, children: DriveNode[] | null = null): DriveNode => ({
  id: name,
  name,
  mimeType: children ? folderType : 'text/plain',
  size: children ? null : 1,
  modified: children ? null : 1,
  children: children ?? [],
})
const names = () =>
  screen.getAllByRole('treeitem').map((row) => row.querySelector('.drive-text')!.textContent)
const activeName = () => {
  const id = screen.getByRole('tree').getAttribute('aria-activedescendant')!
  return document.getElementById(id)!.querySelector('.drive-text')!.textContent
}

test.each([
  [1, '1 file'],
  [2, '2 files'],
])('of %i files the page and their folder say %s, and a blank filter leaves them', async (count, said) => {
  const files = Array.from({ length: count }, (_, at) => node(`${at}.txt`))
  const manifest = loadMachine.provide({
    actors: { load: fromPromise<unknown>(async () => [node('Papers', files)]) },
  })
  render(<DrivePage manifest={manifest} download={downloadMachine} />)
  fireEvent.click(await screen.findByText('Papers'))
  expect(screen.getByRole('status').textContent).toBe(said)
  expect(document.querySelector('.drive-size')!.textContent).toBe(said)
  expect(names()).toHaveLength(count + 1)
  await newUser().type(screen.getByRole('searchbox'), ' ')
  expect(names()).toHaveLength(count + 1)
})

/** Draws the page over a drive whose files change with `files`; each download fails with `status`. */
const drawPage = async (status: number, files: string[]) => {
  let reads = 0
  const manifest = loadMachine.provide({
    actors: {
      load: fromPromise<unknown>(async () => {
        reads++
        return [
          node(
            'Papers',
            files.map((name) => node(name)),
          ),
        ]
      }),
    },
  })
  const download = downloadMachine.provide({
    actors: {
      download: fromPromise<Downloaded, { id: string }>(async () => {
        throw new Failure(status, 'It did not come')
      }),
    },
  })
  render(<DrivePage manifest={manifest} download={download} />)
  fireEvent.click(await screen.findByText('Papers'))
  return { reads: () => reads }
}

test('the tree is read again once a file turns out to be gone, and the row that takes its place is the active one', async () => {
  const files = ['a.txt', 'b.txt', 'c.txt']
  const { reads } = await drawPage(404, files)
  await newUser().click(screen.getByText('b.txt'))
  files.splice(1, 1)
  await newUser().click(screen.getByRole('button', { name: 'Download b.txt' }))
  await expect.poll(names).toEqual(['Papers', 'a.txt', 'c.txt'])
  expect(reads()).toBe(2)
  expect(activeName()).toBe('c.txt')
})

test('the row before is the active one where the last file is gone', async () => {
  const files = ['a.txt', 'b.txt']
  await drawPage(404, files)
  await newUser().click(screen.getByText('b.txt'))
  files.pop()
  fireEvent.keyDown(screen.getByRole('tree'), { key: 'Enter' })
  await expect.poll(names).toEqual(['Papers', 'a.txt'])
  expect(activeName()).toBe('a.txt')
})

test('after another failure the tree stays as it was read, and the file can be tried again', async () => {
  const files = ['a.txt', 'b.txt']
  const { reads } = await drawPage(503, files)
  files.pop()
  await newUser().click(screen.getByRole('button', { name: 'Download b.txt' }))
  expect(await screen.findByRole('button', { name: 'Try again to download b.txt' })).toBeVisible()
  expect(reads()).toBe(1)
})

test('a folder that was closed under one filter is open again under the next one', async () => {
  await drawPage(404, ['annual.txt', 'anchor.txt'])
  const user = newUser()
  const filter = screen.getByRole('searchbox', { name: 'Filter by name' })
  await user.type(filter, 'an')
  expect(names()).toEqual(['Papers', 'anchor.txt', 'annual.txt'])
  await user.click(screen.getByText('Papers'))
  expect(names()).toEqual(['Papers'])
  await user.type(filter, 'n')
  expect(names()).toEqual(['Papers', 'annual.txt'])
})

test.each([
  [['a.txt'], '1 file'],
  [['a.txt', 'b.txt'], '2 files'],
])('the files %j are counted above the tree and beside their folder as %s', async (files, text) => {
  await drawPage(404, files)
  expect(screen.getByRole('status')).toHaveTextContent(text)
  const [folder, file] = screen.getAllByRole('treeitem')
  expect(folder!.querySelector('.drive-size')).toHaveTextContent(text)
  expect(folder).toHaveAttribute('aria-expanded', 'true')
  expect(file).not.toHaveAttribute('aria-expanded')
})
