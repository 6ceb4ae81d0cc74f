import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { parseLongReport } from '../../../src/api/longAnswer.ts'

/** An answer as the server writes it: each row on a line of its own. */
const written = (columns: unknown, rows: readonly unknown[], rest: object) =>
  `{"columns":${JSON.stringify(columns)},"data":[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n],${JSON.stringify(rest).slice(1)}`
const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `Row ${n}`, n }))

test('a long answer is what JSON says it is, whatever its texts hold and wherever it is divided', async () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('\n],', '"data":[\n', '},\n{', '],', '\u2028', 'é€😀'))
  const row = fc.dictionary(text, fc.oneof(text, fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)))
  const rest = fc.record({ notes: fc.array(text), totals: fc.option(row) })
  await fc.assert(
    fc.asyncProperty(fc.array(text), fc.array(row), rest, fc.integer({ min: 1, max: 200 }), async (...it) => {
      const [columns, data, others, piece] = it
      const answer = written(columns, data, others)
      const read = await parseLongReport(new Blob([answer]), { piece, pause: async () => {} })
      expect(read).toEqual(JSON.parse(answer))
    }),
  )
})

test('the page can do other things after every piece of a long answer', async () => {
  const answer = written(['name', 'n'], rows(1_000), { notes: [] })
  const parse = vi.spyOn(JSON, 'parse')
  const parsedBefore: number[] = []
  await parseLongReport(new Blob([answer]), {
    piece: 1_000,
    pause: async () => void parsedBefore.push(parse.mock.calls.length),
  })
  const lengths = parse.mock.calls.map(([text]) => text.length)
  parse.mockRestore()
  // One piece between two pauses, each longer than 1,000 characters by less than a row.
  expect(parsedBefore).toEqual(parsedBefore.map((_, index) => index + 1))
  expect(parsedBefore.length).toBeGreaterThan(answer.length / 1_040)
  expect(Math.max(...lengths)).toBeLessThan(1_040)
})

test.each([0, 1])('an answer of up to a piece is parsed at once: longer by %i characters', async (longer) => {
  const answer = written(['name', 'n'], rows(3), { notes: [] })
  const pause = vi.fn(async () => {})
  expect(await parseLongReport(new Blob([answer]), { piece: answer.length - longer, pause })).toEqual(
    JSON.parse(answer),
  )
  expect(pause).toHaveBeenCalledTimes(longer)
})

test('an answer that is written otherwise is parsed at once', async () => {
  const answer = JSON.stringify({ columns: [], data: rows(50) })
  expect(await parseLongReport(new Blob([answer]), { piece: 10 })).toEqual({ columns: [], data: rows(50) })
  await expect(parseLongReport(new Blob(['<html>']), { piece: 1 })).rejects.toThrow(SyntaxError)
})
