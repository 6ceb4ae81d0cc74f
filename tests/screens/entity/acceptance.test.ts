import { describe, expect, it } from 'vitest'
import { csvDataUrl } from '../../../src/features/entity/Acceptance.tsx'

describe('the list of who has not accepted', () => {
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
