import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { csvLines } from '../../../server/files/csv.ts'

describe('a line of CSV', () => {
  test.each<[string | number | null, string]>([
    ['plain', 'plain'],
    ['', ''],
    [null, ''],
    [0, '0'],
    [-12.5, '-12.5'],
    ['00123', '00123'],
    ['a,b', '"a,b"'],
    ['a;b', 'a;b'],
    ['a "b" c', '"a ""b"" c"'],
    ['"', '""""'],
    ['a\nb', '"a\nb"'],
    ['a\rb', '"a\rb"'],
    ['a\r\nb', '"a\r\nb"'],
    [' a', '" a"'],
    ['a ', '"a "'],
    ['\u00a0a', '"\u00a0a"'],
    ['a b', 'a b'],
    ['=1+1', '=1+1'],
    ['Café 日本 😀', 'Café 日本 😀'],
  ])('writes %j as %j', (value, text) => {
    expect(csvLines([['x', value, 'y']])).toBe(`x,${text},y\r\n`)
  })

  test('ends with CR LF, the last one too, and no rows are no text', () => {
    expect(csvLines([['a', 'b'], ['c'], [1, null]])).toBe('a,b\r\nc\r\n1,\r\n')
    expect(csvLines([])).toBe('')
  })

  test('is read again as it was, whatever it holds', () => {
    const texts = ['"', '""', ',', '\r\n', '\n', ' ', '\t', 'a"b,c\nd', "'", '\\', '\\"']
    const rows = texts.map((text) => [text, 'x', `${text}${text}`])
    expect(parse(csvLines(rows))).toEqual(rows)
  })
})
