import { describe, expect, it, test } from 'vitest'
import { folderType, type DriveNode } from '../../../schemas/api/drive.ts'
import { countFiles, rowByKey, visibleRows, sortTree } from '../../../src/features/drive/tree.ts'

const file = (name: string): DriveNode => ({
  id: name,
  name,
  mimeType: 'text/plain',
  size: 1,
  modified: 1,
  children: [],
})
const folder = (name: string, ...children: DriveNode[]): DriveNode => ({
  id: name,
  name,
  mimeType: folderType,
  size: null,
  modified: null,
  children,
})

const tree = sortTree([
  file('zebra'),
  file('Apple'),
  folder('Papers', file('file 10'), folder('old', file('Señal'), folder('empty')), file('file 9')),
  file('Álamo'),
  folder('Archive', file('report')),
])
const names = (turned: string[], filter = '') =>
  visibleRows(tree, new Set(turned), filter).map(({ node, level }) => `${'  '.repeat(level - 1)}${node.name}`)

describe('the rows of the tree', () => {
  it('begin with all folders closed, folders first, files by name', () => {
    expect(names([])).toEqual(['Archive', 'Papers', 'Álamo', 'Apple', 'zebra'])
  })
  it('hold what is in an open folder, in the same order', () => {
    expect(names(['Papers', 'old'])).toEqual([
      'Archive',
      'Papers',
      '  old',
      '    empty',
      '    Señal',
      '  file 9',
      '  file 10',
      'Álamo',
      'Apple',
      'zebra',
    ])
  })
  it('name level, place and siblings for screen readers', () => {
    expect(
      visibleRows(tree, new Set(['Papers']), '').map(
        ({ level, position: place, siblingCount: siblings, parent, isOpen }) => [
          level,
          place,
          siblings,
          parent,
          isOpen,
        ],
      ),
    ).toEqual([
      [1, 1, 5, -1, false],
      [1, 2, 5, -1, true],
      [2, 1, 3, 1, false],
      [2, 2, 3, 1, false],
      [2, 3, 3, 1, false],
      [1, 3, 5, -1, false],
      [1, 4, 5, -1, false],
      [1, 5, 5, -1, false],
    ])
  })
  test.each([[['a.txt', 'A.txt', 'á.txt']], [['á.txt', 'A.txt', 'a.txt']], [['A.txt', 'á.txt', 'a.txt']]])(
    'whose names differ in capitals and accents alone stand in one order, also when %j is sent',
    (sent) => expect(sortTree(sent.map(file)).map(({ name }) => name)).toEqual(['A.txt', 'a.txt', 'á.txt']),
  )
  it('count the files below', () => expect(countFiles(tree)).toBe(7))
})

describe('a filter', () => {
  test.each<[string, string[], string[]]>([
    ['señal', [], ['Papers', '  old', '    Señal']],
    ['SENAL', [], ['Papers', '  old', '    Señal']],
    [' senal ', [], ['Papers', '  old', '    Señal']],
    ['file', [], ['Papers', '  file 9', '  file 10']],
    ['old', [], ['Papers', '  old']],
    ['old', ['old'], ['Papers', '  old', '    empty', '    Señal']],
    ['file', ['Papers'], ['Papers']],
    [
      'a',
      [],
      [
        'Archive',
        'Papers',
        '  old',
        '    empty',
        '    Señal',
        '  file 9',
        '  file 10',
        'Álamo',
        'Apple',
        'zebra',
      ],
    ],
    ['nothing such', [], []],
    ['  ', [], ['Archive', 'Papers', 'Álamo', 'Apple', 'zebra']],
  ])('%j with %j turned shows %j', (filter, turned, expected) =>
    expect(names(turned, filter)).toEqual(expected),
  )
})

describe('the keys of the tree', () => {
  const rows = visibleRows(tree, new Set(['Papers', 'empty', 'old']), '')
  const at = (name: string) => rows.findIndex(({ node }) => node.name === name)
  test.each<[string, string, string, string | null]>([
    ['Archive', 'ArrowUp', '', 'Archive'],
    ['Archive', 'ArrowDown', '', 'Papers'],
    ['zebra', 'ArrowDown', '', 'zebra'],
    ['file 9', 'Home', '', 'Archive'],
    ['file 9', 'End', '', 'zebra'],
    ['Papers', 'ArrowRight', '', 'old'],
    ['Archive', 'ArrowRight', '', null],
    ['empty', 'ArrowRight', '', null],
    ['zebra', 'ArrowRight', '', null],
    ['Señal', 'ArrowLeft', '', 'old'],
    ['file 9', 'ArrowLeft', '', 'Papers'],
    ['zebra', 'ArrowLeft', '', null],
    ['Papers', 'ArrowLeft', '', null],
    ['Archive', 'a', 'a', 'Álamo'],
    ['Álamo', 'a', 'a', 'Apple'],
    ['Apple', 'a', 'a', 'Archive'],
    ['Álamo', 'p', 'ap', 'Apple'],
    ['Papers', 'f', 'f', 'file 9'],
    ['file 9', 'i', 'fi', 'file 9'],
    ['file 9', '1', 'file 1', 'file 10'],
    ['Papers', 's', 's', 'Señal'],
    ['Papers', 'x', 'x', null],
    ['Papers', 'Tab', '', null],
  ])('at %s, %s (typed %j) leads to %s', (from, key, typed, to) => {
    const row = rowByKey(rows, at(from), key, typed)
    expect(row === null ? null : rows[row]!.node.name).toBe(to)
  })
})
