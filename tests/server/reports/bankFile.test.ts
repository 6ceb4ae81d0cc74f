import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../server/config/config.ts'
import { bankHolidays, nextBankDay } from '../../../server/reports/engine/days.ts'
import { nachaFile } from '../../../server/reports/files/nacha.ts'
import type { SignedIn } from '../../world.ts'
import { bank, ledger, type Ledger } from './ledger.ts'
import { checkNacha } from './nacha.ts'

let portal: Ledger
let admin: SignedIn
beforeAll(async () => {
  portal = await ledger()
  admin = portal.admin
  for (const month of ['2026-08', '2026-09'])
    await admin
      .call('POST', '/api/v1/report/ach-payout/publish', { month })
      .then(() => admin.call('POST', '/api/v1/report/residual-summary/publish', { month }))
})
afterAll(() => portal.close())
const take = (month = '2026-09') =>
  admin.call('POST', '/api/v1/report/ach-payout/export?format=nacha', { month })

describe('the file for the bank', () => {
  test('pays each payee once, companies and persons in batches of their own', async () => {
    const { status, body, headers } = await take()
    expect(status, JSON.stringify(body)).toBe(200)
    expect(headers['content-disposition']).toBe('attachment; filename="ACH Payout 2026-09 A.ach"')
    const file = checkNacha(body)
    expect(file.header).toMatchObject({
      destination: ' 091000019',
      origin: '1234567890',
      modifier: 'A',
      bank: 'FIRST EXAMPLE BANK',
      company: 'PORTAL RESIDUAL',
    })
    expect(
      file.batches.map(({ kind, service, description, entries }) => ({
        kind,
        service,
        description,
        entries,
      })),
    ).toEqual([
      {
        kind: 'CCD',
        service: '220',
        description: 'RESIDUALS',
        entries: [
          {
            code: '22',
            routing: '091000019',
            account: '0012345',
            cents: 3999,
            id: 'MA0002',
            name: 'NORTH',
            trace: '091000010000001',
          },
        ],
      },
      {
        kind: 'PPD',
        service: '220',
        description: 'RESIDUALS',
        entries: [
          {
            code: '32',
            routing: '021000021',
            account: '98765432101234567',
            cents: 9000,
            id: 'MA0004',
            name: 'WEST & CO',
            trace: '091000010000002',
          },
        ],
      },
    ])
    const [{ today }] = (await portal.db.query<{ today: string }>(
      `select (now() at time zone 'UTC')::date as today`,
    )) as [{ today: string }]
    expect(file.batches[0]!.settles).toBe(nextBankDay(today).replaceAll('-', '').slice(2))
  })

  test('a second one has the next letter, says so in its name, and is flagged in log and audit', async () => {
    const { body, headers } = await take()
    expect(headers['content-disposition']).toBe('attachment; filename="ACH Payout 2026-09 B copy 2.ach"')
    expect(checkNacha(body).header.modifier).toBe('B')
    const log = await admin.call('POST', '/api/v1/report/export-log', {
      from: '01/01/2026',
      to: '12/31/2030',
    })
    expect(
      log.body.data
        .slice(0, 2)
        .map((row: Record<string, unknown>) => [row.modifier, row.copy, row.again, row.result]),
    ).toEqual([
      ['B', 2, true, 'Complete'],
      ['A', 1, false, 'Complete'],
    ])
    const [deed] = await portal.db.query<{ after: object }>(
      `select after from audit where action = 'export' order by id desc limit 1`,
    )
    expect(deed!.after).toEqual({
      format: 'nacha',
      month: '2026-09',
      version: 1,
      modifier: 'B',
      copy: 2,
      again: true,
      entries: 2,
      cents: 12_999,
    })
    const { body: shown } = await admin.call('POST', '/api/v1/report/ach-payout', { month: '2026-09' })
    expect(shown.notes.map((note: string) => note.slice(0, 50))).toEqual([
      'A file for the bank (A) was taken by admin on ' + shown.notes[0].slice(46, 50),
      'A file for the bank (B) was taken by admin on ' + shown.notes[1].slice(46, 50),
    ])
  })

  test('no whole bank number is anywhere but in it', async () => {
    const { body: types } = await admin.call('GET', '/api/v1/report')
    const { body: shown } = await admin.call('POST', '/api/v1/report/ach-payout', { month: '2026-09' })
    const { body: csv } = await admin.call('POST', '/api/v1/report/ach-payout/export?format=csv', {
      month: '2026-09',
    })
    const kept = await portal.db.query(
      `select (select json_agg(a)::text from audit a) as audit, (select json_agg(e)::text from report_export e) as log`,
    )
    for (const text of [types, shown, csv, kept].map((it) => JSON.stringify(it)))
      expect(
        ['0012345"', '98765432101234567', '091000019"'].filter((number) => text.includes(number)),
      ).toEqual([])
  })

  test('is not made while a payee has no valid bank data', async () => {
    await portal.db.query(`update master_agent set routingnumber = '021000022' where id = 4`)
    const { status, body } = await take()
    expect({ status, error: body.error }).toEqual({
      status: 409,
      error: 'The file cannot be made. MA0004 - Wést & Co: its routing number fails the check',
    })
    await portal.db.query(`update master_agent set routingnumber = '021000021' where id = 4`)
  })

  test('a month that pays in one batch has one, and an open month has no file', async () => {
    const file = checkNacha((await take('2026-08')).body)
    expect(file.header.modifier).toBe('C')
    expect(file.batches.map(({ kind, entries }) => [kind, entries.map(({ cents }) => cents)])).toEqual([
      ['CCD', [3200]],
    ])
    await admin.call('POST', '/api/v1/report/ach-payout/unlock', { month: '2026-09', reason: 'x' })
    expect((await take()).status).toBe(422)
  })

  test('without a bank there is none', async () => {
    const bare = { ...portal.config, ach: null }
    expect(bare.ach).toBeNull()
    const { body } = await admin.call('GET', '/api/v1/report')
    expect(body.data.find(({ id }: { id: string }) => id === 'ach-payout').formats).toEqual([
      'xlsx',
      'csv',
      'nacha',
    ])
    expect(body.data.find(({ id }: { id: string }) => id === 'attrition').formats).toEqual(['xlsx', 'csv'])
  })
})

test.each([0, 1, 6, 7, 8, 16, 123])(
  'a file of %i more payments is made of whole blocks of ten lines',
  (more) => {
    const payment = (id: number) => ({
      id,
      displayid: `MA${id}`,
      name: 'Ünïcode Ñame of a very long payee indeed',
      routing: id % 2 ? '091000019' : '021000021',
      account: `${1000 + id}`,
      checking: id % 3 > 0,
      business: id % 4 > 0,
      cents: id * 37,
    })
    const payments = Array.from({ length: more + 1 }, (_, index) => payment(index + 1))
    const { text, cents, entries } = nachaFile(bank, payments, {
      created: '2026-11-21T19:43',
      settles: '2026-11-23',
      modifier: 'Z',
    })
    const file = checkNacha(text)
    expect(
      file.batches
        .flatMap((batch) => batch.entries.map((entry) => entry.cents))
        .reduce((sum, one) => sum + one, 0),
    ).toBe(cents)
    expect(entries).toBe(payments.length)
    expect(() =>
      nachaFile(bank, [{ ...payment(1), cents: 10_000_000_000 }], {
        created: '2026-11-21T19:43',
        settles: '2026-11-23',
        modifier: 'A',
      }),
    ).toThrow('does not fit')
  },
)

test('banks are closed on weekends and on the holidays of the Federal Reserve', () => {
  // As published: 4 July 2026 is a Saturday and not kept on another day, 1 January 2023 is kept on Monday.
  expect(bankHolidays(2026)).toEqual([
    '2026-01-01',
    '2026-01-19',
    '2026-02-16',
    '2026-05-25',
    '2026-06-19',
    '2026-07-04',
    '2026-09-07',
    '2026-10-12',
    '2026-11-11',
    '2026-11-26',
    '2026-12-25',
  ])
  expect(bankHolidays(2023)[0]).toBe('2023-01-02')
  const next = {
    '2026-11-20': '2026-11-23',
    '2026-11-25': '2026-11-27',
    '2026-12-31': '2027-01-04',
    '2026-07-02': '2026-07-03',
    '2026-05-22': '2026-05-26',
  }
  for (const [day, following] of Object.entries(next)) expect(nextBankDay(day)).toBe(following)
})

test.each([
  ['nonsense', 'ACH is'],
  ['{}', 'JSON like'],
  ['null', 'JSON like'],
  ['{"bank":"B","routing":"091000018","company":"C","companyId":"1"}', 'ABA checksum'],
  ['{"bank":"B","routing":"091000019","company":"C","companyId":"12345678901"}', 'at most ten'],
  ['{"bank":"B","routing":"091000019","company":"C","companyId":"1","x":"y"}', 'JSON like'],
])('ACH=%s is refused in a sentence', (text, sentence) => {
  expect(() => readConfig({ ACH: text })).toThrow(sentence)
  expect(readConfig({ ACH: JSON.stringify(bank) }).ach).toEqual(bank)
})
