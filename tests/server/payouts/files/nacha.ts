import { expect } from 'vitest'

/** One after the other: name and width of the fields of a line. */
const cut = (line: string, fields: [string, number][]) => {
  let at = 0
  return Object.fromEntries(fields.map(([name, width]) => [name, line.slice(at, (at += width))])) as Record<
    string,
    string
  >
}
const entryFields: [string, number][] = [
  ['type', 1],
  ['code', 2],
  ['routing', 9],
  ['account', 17],
  ['amount', 10],
  ['id', 15],
  ['name', 22],
  ['discretion', 2],
  ['addenda', 1],
  ['trace', 15],
]
const batchFields: [string, number][] = [
  ['type', 1],
  ['service', 3],
  ['company', 16],
  ['data', 20],
  ['id', 10],
  ['kind', 3],
  ['description', 10],
  ['date', 6],
  ['effective', 6],
  ['julian', 3],
  ['status', 1],
  ['odfi', 8],
  ['number', 7],
]
const batchEnd: [string, number][] = [
  ['type', 1],
  ['service', 3],
  ['count', 6],
  ['hash', 10],
  ['debits', 12],
  ['credits', 12],
  ['id', 10],
  ['mac', 19],
  ['blank', 6],
  ['odfi', 8],
  ['number', 7],
]
const fileHead: [string, number][] = [
  ['type', 1],
  ['priority', 2],
  ['destination', 10],
  ['origin', 10],
  ['date', 6],
  ['time', 4],
  ['modifier', 1],
  ['size', 3],
  ['blocking', 2],
  ['format', 1],
  ['bank', 23],
  ['company', 23],
  ['reference', 8],
]
const fileEnd: [string, number][] = [
  ['type', 1],
  ['batches', 6],
  ['blocks', 6],
  ['count', 8],
  ['hash', 10],
  ['debits', 12],
  ['credits', 12],
  ['blank', 39],
]

type Entry = {
  code: string
  routing: string
  account: string
  cents: number
  id: string
  name: string
  trace: string
}

const checkDigit = (routing: string) =>
  [...routing].reduce((sum, digit, at) => sum + Number(digit) * [3, 7, 1][at % 3]!, 0) % 10
const total = (entries: Entry[]) => ({
  count: entries.length,
  hash: entries.reduce((sum, { routing }) => sum + Number(routing.slice(0, 8)), 0) % 10_000_000_000,
  credits: entries.reduce((sum, { cents }) => sum + cents, 0),
})

/**
 * Reads a NACHA file by the places of the format and checks every count, sum, hash and check digit of it
 * (payouts 5).
 */
export function checkNacha(text: string) {
  expect(text).toMatch(/^(?:[ -~]{94}\n)+$/)
  expect(text).toBe(text.toUpperCase())
  const lines = text.slice(0, -1).split('\n')
  expect(lines.length % 10).toBe(0)
  const end = lines.findIndex((line, at) => at > 0 && line.startsWith('9'))
  expect(lines.slice(end + 1).every((line) => line === '9'.repeat(94))).toBe(true)
  expect(lines.length - end - 1).toBeLessThan(10)
  const header = cut(lines[0]!, fileHead)
  expect(header).toMatchObject({ type: '1', priority: '01', size: '094', blocking: '10', format: '1' })
  expect(header.destination).toMatch(/^ \d{9}$/)
  expect(checkDigit(header.destination!.slice(1))).toBe(0)
  expect(header.date).toMatch(/^\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/)
  expect(header.time).toMatch(/^([01]\d|2[0-3])[0-5]\d$/)
  expect(header.modifier).toMatch(/^[A-Z0-9]$/)
  expect(header.reference).toBe(' '.repeat(8))
  const batches: {
    kind: string
    service: string
    description: string
    effective: string
    entries: Entry[]
  }[] = []
  let open: (typeof batches)[number] | null = null
  let number = 0
  for (const line of lines.slice(1, end)) {
    if (line.startsWith('5')) {
      expect(open).toBeNull()
      const { kind, service, description, effective, ...rest } = cut(line, batchFields)
      expect(Number(rest.number)).toBe((number += 1))
      // Credits alone, one batch of each class; the settlement date is the bank's to fill in.
      expect(service).toBe('220')
      expect(kind).toMatch(/^(CCD|PPD)$/)
      expect(batches.map((batch) => batch.kind)).not.toContain(kind)
      expect(description!.trim()).not.toBe('')
      expect(effective).toMatch(/^\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/)
      expect(rest).toMatchObject({
        company: header.company!.slice(0, 16),
        data: ' '.repeat(20),
        id: header.origin,
        odfi: header.destination!.slice(1, 9),
        status: '1',
        julian: '   ',
      })
      batches.push(
        (open = {
          kind: kind!,
          service: service!,
          description: description!.trim(),
          effective: effective!,
          entries: [],
        }),
      )
    } else if (line.startsWith('6')) {
      const { code, routing, account, amount, id, name, discretion, addenda, trace } = cut(line, entryFields)
      expect(discretion).toBe('  ')
      expect(amount).toMatch(/^\d{10}$/)
      expect(id!.trim()).not.toBe('')
      expect(name!.trim()).not.toBe('')
      expect(code).toMatch(/^[23]2$/)
      expect(checkDigit(routing!)).toBe(0)
      expect(addenda).toBe('0')
      expect(Number(amount)).toBeGreaterThan(0)
      expect(account).toMatch(/^\d{4,17} *$/)
      open!.entries.push({
        code: code!,
        routing: routing!,
        account: account!.trim(),
        cents: Number(amount),
        id: id!.trim(),
        name: name!.trim(),
        trace: trace!,
      })
    } else {
      const { type, service, count, hash, debits, credits, ...rest } = cut(line, batchEnd)
      expect(open!.entries.length).toBeGreaterThan(0)
      expect(`${count}${hash}${debits}${credits}`).toMatch(/^\d{40}$/)
      expect({
        type,
        service,
        count: Number(count),
        hash: Number(hash),
        debits: Number(debits),
        credits: Number(credits),
      }).toEqual({
        type: '8',
        service: '220',
        debits: 0,
        ...total(open!.entries),
      })
      expect(rest).toMatchObject({
        id: header.origin,
        odfi: header.destination!.slice(1, 9),
        mac: ' '.repeat(19),
        blank: ' '.repeat(6),
      })
      expect(Number(rest.number)).toBe(number)
      open = null
    }
  }
  expect(open).toBeNull()
  // The portal numbers all entries it ever sent, so that a trace number names one payment.
  const all = batches.flatMap(({ entries }) => entries)
  const traces = all.map(({ trace }) => trace)
  expect(traces.filter((trace) => !/^\d{15}$/.test(trace))).toEqual([])
  expect(traces.map((trace) => trace.slice(0, 8))).toEqual(traces.map(() => header.destination!.slice(1, 9)))
  expect(traces).toEqual([...new Set(traces)].sort())
  const {
    type,
    batches: count,
    blocks,
    count: entries,
    hash,
    debits,
    credits,
    blank,
  } = cut(lines[end]!, fileEnd)
  expect({ type, blank }).toEqual({ type: '9', blank: ' '.repeat(39) })
  expect(batches.length).toBeGreaterThan(0)
  expect({
    batches: Number(count),
    blocks: Number(blocks),
    count: Number(entries),
    hash: Number(hash),
    debits: Number(debits),
    credits: Number(credits),
  }).toEqual({
    batches: batches.length,
    blocks: lines.length / 10,
    debits: 0,
    ...total(all),
  })
  const { destination, origin, modifier } = header as {
    destination: string
    origin: string
    modifier: string
  }
  return {
    header: { destination, origin, modifier, bank: header.bank!.trim(), company: header.company!.trim() },
    batches,
  }
}
