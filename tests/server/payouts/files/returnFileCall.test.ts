import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReturnFileReply } from '../../../../schemas/api/months/months.ts'
import { serializePayouts } from '../../../../server/money/months.ts'
import { mailServer, type MailServer } from '../../../mail.ts'
import { whileUncommitted } from '../../../whileUncommitted.ts'
import { accountOf, payoutPortal, type PayoutPortal } from '../payoutPortal.ts'
import { returnFileOf, type Returned } from './returnFiles.ts'

let portal: PayoutPortal
let mail: MailServer
const [january, february] = ['2026-01', '2026-02']
const traces: Record<string, string> = {}
const agents = 80
/** Each test takes agents that no other test has; one whose account has 18 digits is paid nothing. */
let taken = 1
const someone = (): number => {
  expect(++taken).toBeLessThanOrEqual(agents)
  return accountOf(taken).length > 17 ? someone() : taken
}
/** Dollars that an agent was paid for January and for February, on 10 February. */
const dollars = (id: number) => 50 + id + 0.01
const cents = (id: number) => (50 + id) * 100 + 1

beforeAll(async () => {
  mail = await mailServer()
  portal = await payoutPortal(agents, { mail: { smtpUrl: mail.url, from: 'portal@example.com' } })
  for (const month of [january, february]) {
    for (let id = 2; id <= agents; id++) await portal.earn(id, month, dollars(id))
    await release(month)
  }
  await portal.db.query('alter table payout_payment disable trigger payout_payment_grows')
  await portal.db.query(`update payout_payment set effective = '2026-02-10'`)
  const rows = await portal.db.query<{ at: string; trace: string }>(
    `select to_char(r.month, 'YYYY-MM ') || p.payeeid as at, p.trace
      from payout_payment p join payout_release r on r.id = p.releaseid`,
  )
  for (const { at, trace } of rows) traces[at] = trace
}, 60_000)
afterAll(async () => {
  await portal.close()
  await mail.close()
})

async function release(month: string) {
  await portal.lock(month)
  const hash = await portal.approve(month)
  const { status } = await portal.call('ann', 'POST', `/api/v1/month/${month}/release`, { hash, how: 'file' })
  expect(status).toBe(200)
}
const paid = (month: string, agent: number) => traces[`${month} ${agent}`]!
const send = (text: string, commit: boolean, who: 'bob' | 'branch' | 'carl' = 'bob') =>
  portal.call(who, 'POST', '/api/v1/ledger/returnfile', { text, commit })
const read = async (entries: readonly Returned[], commit = false, day?: string): Promise<ReturnFileReply> => {
  const { status, body } = await send(returnFileOf([entries], day), commit)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const count = async (table: string) =>
  (await portal.db.query<{ n: number }>(`select count(*) as n from ${table}`))[0]!.n
const stored = () => Promise.all(['payout_return', 'payout_hold', 'bank_change', 'audit'].map(count))
/** What `work` gives, which stores nothing. */
const storingNothing = async <T>(work: () => Promise<T>): Promise<T> => {
  const before = await stored()
  const result = await work()
  expect(await stored()).toEqual(before)
  return result
}
/** Line and sentence of the faults of a preview; the same are refused when the file is to be booked. */
const faults = (entries: readonly Returned[], day?: string) =>
  storingNothing(async () => {
    const { faults: found } = await read(entries, false, day)
    const refused = await send(returnFileOf([entries], day), true)
    expect(refused.status).toBe(422)
    expect(refused.body.rows.map((it: { row: number; message: string }) => [it.row, it.message])).toEqual(
      found.map(({ line, message }) => [line, message]),
    )
    return found.map(({ line, message }) => `${line}: ${message}`)
  })
const returned = (month: string, id: number, { code = 'R03', off = 0 } = {}): Returned => ({
  code,
  trace: paid(month, id),
  cents: cents(id) + off,
})
const corrected = (month: string, agent: number, code: string, data: string): Returned => ({
  code,
  trace: paid(month, agent),
  corrected: data,
})
const agent = async (id: number, who: 'admin' | 'bob' = 'bob') =>
  (await portal.call(who, 'GET', `/api/v1/masteragent/${id}`)).body
const entry = async (month: string, id: number) => (await portal.entries(month)).find((it) => it.id === id)!

describe('returns of a file', () => {
  test('are shown with payment, month, meaning and what follows, and nothing is stored', async () => {
    const [one, two] = [someone(), someone()]
    const file = [returned(january, one), returned(february, two, { code: 'R17' })]
    const payment = (id: number) => ({
      masteragentid: id,
      displayid: `MA000${id}`,
      name: `Agent ${id}`,
      amount: dollars(id),
    })
    expect(await storingNothing(() => read(file))).toEqual({
      committed: false,
      day: '2026-02-12',
      faults: [],
      entries: [
        {
          line: 4,
          kind: 'return',
          trace: paid(january, one),
          code: 'R03',
          meaning: 'No account, or unable to locate it',
          ...payment(one),
          month: january,
          outcome: 'Due again; the account is held',
          isbooked: true,
        },
        {
          line: 6,
          kind: 'return',
          trace: paid(february, two),
          code: 'R17',
          meaning: 'File record edit criteria',
          ...payment(two),
          month: february,
          outcome: 'Due again; the account is not held',
          isbooked: true,
        },
      ],
    })
  })

  test('are booked on the day of the file, each in its month', async () => {
    const [one, two] = [someone(), someone()]
    const file = [returned(january, one), returned(february, two, { code: 'R17' })]
    expect(await read(file, true)).toMatchObject({ committed: true })
    expect(
      await portal.db.query(
        `select payeeid, code, day, b.username from payout_return b join payout_payment on id = paymentid
          where payeeid = any ($1) order by payeeid`,
        [[one, two]],
      ),
    ).toEqual([
      { payeeid: one, code: 'R03', day: '2026-02-12', username: 'bob' },
      { payeeid: two, code: 'R17', day: '2026-02-12', username: 'bob' },
    ])
    expect(await entry(february, one)).toMatchObject({
      released: dollars(one),
      hold: 'Held by bob: payment returned, R03 No account, or unable to locate it',
    })
    expect(await entry(february, two)).toMatchObject({ released: 0, payable: dollars(two), hold: null })
    expect(
      await count(`audit where action = 'return' and after ->> 'payee' in ('MA000${one}', 'MA000${two}')`),
    ).toBe(2)
  })

  test.each(['R02', 'R03', 'R04', 'R14', 'R15', 'R16', 'R20', 'R23', 'R29'])(
    'with %s hold the payee',
    async (code) => {
      const id = someone()
      const [only] = (await read([returned(january, id, { code })], true)).entries
      expect(only!.outcome).toBe('Due again; the account is held')
      expect(await count(`active_hold where masteragentid = ${id}`)).toBe(1)
    },
  )

  test('with a date of death keep it', async () => {
    const id = someone()
    const dead = { ...returned(january, id, { code: 'R15' }), died: '260130' }
    const [only] = (await read([dead], true)).entries
    expect(only!.outcome).toBe('Due again; the account is held; died on 01/30/2026')
    expect(
      await portal.db.query(
        'select note from payout_return join payout_payment on id = paymentid where payeeid = $1',
        [id],
      ),
    ).toEqual([{ note: 'Beneficiary or account holder deceased, died on 01/30/2026' }])
  })

  test.each<[what: string, entries: (id: number) => Returned[], day: string | undefined, found: string]>([
    [
      'of an unknown trace number',
      () => [{ code: 'R03', trace: '091000019999999', cents: 1 }],
      undefined,
      '4: There is no payment with trace number 091000019999999',
    ],
    [
      'twice in the file',
      (id) => [returned(january, id), returned(january, id, { code: 'R02' })],
      undefined,
      '6: Line 4 returns this payment already',
    ],
    [
      'with a cent more',
      (id) => [returned(january, id, { off: 1 })],
      undefined,
      '4: The payment was $PAID, not $MORE',
    ],
    [
      'with a cent less',
      (id) => [returned(january, id, { off: -1 })],
      undefined,
      '4: The payment was $PAID, not $LESS',
    ],
    [
      'in a file of the day before the payment',
      (id) => [returned(january, id)],
      '260209',
      '4: Date is before the payment, which took effect on 02/10/2026',
    ],
    ['in a file of the future', (id) => [returned(january, id)], '990104', '4: Date is in the future'],
    [
      'among others that are right',
      (id) => [
        returned(february, id),
        returned(january, id, { off: 1 }),
        corrected(january, id, 'C01', '777000111'),
      ],
      undefined,
      '6: The payment was $PAID, not $MORE',
    ],
  ])('%s are named with their line, and nothing of the file is stored', async (_, entries, day, found) => {
    const id = someone()
    const sentence = found
      .replace('PAID', dollars(id).toFixed(2))
      .replace('MORE', (dollars(id) + 0.01).toFixed(2))
      .replace('LESS', (dollars(id) - 0.01).toFixed(2))
    expect(await faults(entries(id), day)).toEqual([sentence])
  })

  test('of the layout and of payments stand in the order of their lines', async () => {
    const id = someone()
    const entries = [
      returned(january, id, { off: 1 }),
      returned(january, id, { code: 'X03' }),
      returned(february, id, { off: 1 }),
    ]
    expect((await faults(entries)).map((it) => it.split(': ')[0])).toEqual(['4', '6', '8'])
  })

  test('of the day of the payment are booked', async () => {
    expect(await read([returned(january, someone())], true, '260210')).toMatchObject({ faults: [] })
  })

  test('of a payment that came back before are named', async () => {
    const id = someone()
    await read([returned(january, id)], true)
    const again = await storingNothing(() =>
      send(returnFileOf([[returned(january, id, { code: 'R02' })]]), true),
    )
    expect([again.status, again.body.error]).toEqual([
      422,
      `Line 4: The payment to MA00${id} - Agent ${id} came back already (R03). Nothing was stored.`,
    ])
  })

  test('of a file that was booked already are no faults: it says so, and refuses to be booked again', async () => {
    const [one, two] = [someone(), someone()]
    const file = [returned(january, one), returned(january, two, { code: 'R17' })]
    await read(file, true)
    const again = await storingNothing(() => read(file))
    expect([again.faults, again.entries.map(({ outcome, isbooked }) => [outcome, isbooked])]).toEqual([
      [],
      [
        ['Booked already', false],
        ['Booked already', false],
      ],
    ])
    expect((await send(returnFileOf([file]), true)).status).toBe(422)
    const more = [
      [...file, returned(january, someone())],
      [file[0]!, { ...file[1]!, code: 'R02' }],
    ]
    for (const entries of more) expect((await read(entries)).faults).toHaveLength(2)
  })

  test('of a file that is cut off are not booked, and the refusal counts the faults', async () => {
    const text = returnFileOf([[returned(january, someone())]])
    const refusals = await storingNothing(async () => [
      await send(text.split('\r\n').slice(0, 3).join('\n'), true),
      await send(`${text.slice(0, 94)}\nx\ny`, true),
    ])
    expect(refusals.map(({ status, body }) => [status, body.error])).toEqual([
      [422, 'Line 3: The file ends without its control record (type 9). Nothing was stored.'],
      [
        422,
        'The file has 2 faults; the first is in line 2: The line has 1 characters instead of 94. Nothing was stored.',
      ],
    ])
  })

  test('wait for other steps with the payouts, and one of two same files is booked', async () => {
    const text = returnFileOf([[returned(january, someone())]])
    const answers = await Promise.all([send(text, true), send(text, true)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    const waited = await whileUncommitted(portal.db, serializePayouts, () =>
      send(returnFileOf([[returned(january, someone())]]), true),
    )
    expect(waited.status).toBe(200)
  })

  test('are read by a person who may book a return, and are refused to a branch before the file is read', async () => {
    const text = returnFileOf([[returned(january, someone())]])
    expect((await send(text, false, 'carl')).status).toBe(200)
    expect((await send('nonsense', false, 'branch')).status).toBe(403)
  })

  test.each([
    [{ commit: true }, 'File is required'],
    [{ text: '', commit: true }, 'Line 1: The file is empty. Nothing was stored.'],
    [{ text: 'x' }, 'Commit is required'],
  ])('are not read from %j: %s', async (body, sentence) => {
    const answer = await portal.call('bob', 'POST', '/api/v1/ledger/returnfile', body)
    expect([answer.status, answer.body.error]).toEqual([422, sentence])
  })
})

describe('a notification of change', () => {
  const changed: [code: string, data: string, outcome: string, account: object][] = [
    ['C01', '777000111', 'Bank Account # *****0111', { bankaccountnumber: '777000111' }],
    ['C02', '011401533', 'Routing # 011401533', { routingnumber: '011401533' }],
    [
      'C03',
      '011401533   777000111',
      'Routing # 011401533, Bank Account # *****0111',
      { routingnumber: '011401533', bankaccountnumber: '777000111' },
    ],
    ['C05', '32', 'Account Type Savings', { isbankaccounttypechecking: false }],
    [
      'C06',
      '777000111           32',
      'Bank Account # *****0111, Account Type Savings',
      { bankaccountnumber: '777000111', isbankaccounttypechecking: false },
    ],
    [
      'C07',
      '011401533777000111        32',
      'Routing # 011401533, Bank Account # *****0111, Account Type Savings',
      { routingnumber: '011401533', bankaccountnumber: '777000111', isbankaccounttypechecking: false },
    ],
  ]
  test.each(changed)('%s makes the corrected account pending, from %s', async (code, data, what, account) => {
    const id = someone()
    const before = await agent(id)
    const file = [corrected(january, id, code, data)]
    const outcome = `Pending: ${what}. Nothing is paid until another person confirms it`
    const preview = await read(file)
    expect(preview.entries).toMatchObject([{ kind: 'change', masteragentid: id, outcome, isbooked: true }])
    expect(await count(`bank_change where masteragentid = ${id}`)).toBe(0)
    expect((await read(file, true)).entries).toEqual(preview.entries)
    const after = await agent(id)
    expect(after).toEqual({
      ...before,
      ...account,
      version: before.version + 1,
      bankpending: {
        by: 'bob',
        at: expect.any(Number),
        fields: Object.keys(account),
        source: `notification of change ${code} of trace ${paid(january, id)}`,
        canconfirm: 'You entered this account: another person must confirm it',
      },
    })
    const confirm = `/api/v1/masteragent/${id}/bank/confirm`
    const how = { how: 'Called back', version: after.version }
    expect((await portal.call('bob', 'POST', confirm, how)).status).toBe(403)
    expect((await portal.call('ann', 'POST', confirm, how)).status).toBe(200)
    expect((await agent(id)).bankpending).toBeNull()
  })

  test('can be rejected, and the account that was paid is in force again', async () => {
    const id = someone()
    await read([corrected(january, id, 'C01', '777000111')], true)
    const reject = `/api/v1/masteragent/${id}/bank/reject`
    const { status } = await portal.call('ann', 'POST', reject, { reason: 'Not so' })
    expect([status, (await agent(id)).bankaccountnumber]).toEqual([200, accountOf(id)])
  })

  test('waits for a change of the account that is on its way, and is passed over then', async () => {
    const id = someone()
    const { entries } = await whileUncommitted(
      portal.db,
      (tx) =>
        tx.query(`update master_agent set version = version + 1, routingnumber = '011401533' where id = $1`, [
          id,
        ]),
      () => read([corrected(january, id, 'C01', '777000111')], true),
    )
    expect(entries[0]!.outcome).toBe('Passed over: the account was changed since the payment')
  })

  test("is written to the payee's users and into the audit, without the account", async () => {
    const id = someone()
    await portal.db.query(
      `insert into portal_user (username, password_hash, masteragentid, email)
        values ('told', '', $1, 'told@example.com')`,
      [id],
    )
    const file = [corrected(january, id, 'C01', '777000111')]
    await read(file)
    await read(file, true)
    await expect.poll(() => mail.emails.length).toBe(1)
    const source = `notification of change C01 of trace ${paid(january, id)}`
    expect(mail.emails[0]!.text.replace(/\s+/g, ' ')).toContain(`by bob, by ${source}: Bank Account #.`)
    const audited = await portal.db.query(
      `select username, after from audit where entity = 'masteragent' and entityid = $1`,
      [String(id)],
    )
    expect(audited).toEqual([{ username: 'bob', after: { bankaccountnumber: '***', source } }])
    expect(JSON.stringify([mail.emails, audited])).not.toContain('777000111')
  })

  test.each<[string, (id: number) => Promise<unknown>, code: string, data: string, why: string]>([
    [
      'while an account is pending',
      async (id) => {
        const { version } = await agent(id, 'admin')
        return portal.call('admin', 'PUT', `/api/v1/masteragent/${id}`, {
          version,
          routingnumber: '011401533',
        })
      },
      'C01',
      '777000111',
      'an account of this payee is pending already',
    ],
    [
      'of an account that was changed since the payment',
      (id) => portal.db.query(`update master_agent set routingnumber = '011401533' where id = $1`, [id]),
      'C01',
      '777000111',
      'the account was changed since the payment',
    ],
    [
      'that says what the record holds',
      async () => {},
      'C02',
      '021000021',
      'the record holds this account already',
    ],
    [
      'of a payee who was deleted',
      async (id) => {
        await portal.db.query('delete from adjustment where masteragentid = $1', [id])
        await portal.db.query('delete from master_agent where id = $1', [id])
      },
      'C01',
      '777000111',
      'the payee does not exist any more',
    ],
    [
      'that is not about the account',
      async () => {},
      'C04',
      'SMITH',
      'C04 is not about the account: correct the record by hand',
    ],
    [
      'with a wrong routing number',
      async () => {},
      'C02',
      '011401534',
      'The corrected routing number 011401534 fails its check',
    ],
  ])('%s is listed and passed over, the returns are booked', async (_, prepare, code, data, why) => {
    const [id, other] = [someone(), someone()]
    await prepare(id)
    const changes = await count('bank_change')
    const { entries } = await read([corrected(january, id, code, data), returned(january, other)], true)
    expect(entries.map(({ outcome, isbooked }) => [outcome, isbooked])).toEqual([
      [`Passed over: ${why}`, false],
      ['Due again; the account is held', true],
    ])
    expect(await count('bank_change')).toBe(changes)
    expect(await count(`active_hold where masteragentid = ${other}`)).toBe(1)
  })

  test('that comes for two payments of a payee is entered once', async () => {
    const id = someone()
    const file = [january, february].map((month) => corrected(month, id, 'C01', '777000111'))
    const { entries } = await read(file, true)
    expect(entries.map(({ isbooked, outcome }) => [isbooked, outcome])).toEqual([
      [true, 'Pending: Bank Account # *****0111. Nothing is paid until another person confirms it'],
      [false, 'Passed over: line 4 corrects this account already'],
    ])
    expect(await count(`bank_change where masteragentid = ${id}`)).toBe(1)
  })

  test('that follows one of the same payee which was passed over is entered', async () => {
    const id = someone()
    const file = [corrected(january, id, 'C02', '011401534'), corrected(february, id, 'C01', '777000222')]
    const { entries } = await read(file, true)
    expect(entries.map(({ isbooked, outcome }) => [isbooked, outcome])).toEqual([
      [false, 'Passed over: The corrected routing number 011401534 fails its check'],
      [true, 'Pending: Bank Account # *****0222. Nothing is paid until another person confirms it'],
    ])
    expect(await count(`bank_change where masteragentid = ${id}`)).toBe(1)
  })

  test('typed as a return is refused with the way it is read, in both cases of its letter', async () => {
    const id = someone()
    for (const code of ['C01', 'c99']) {
      const answer = await storingNothing(() =>
        portal.call('bob', 'POST', `/api/v1/month/${january}/return`, {
          trace: paid(january, id),
          code,
          date: '2026-02-12',
        }),
      )
      const message = `${code} is a notification of change: read it from the bank's return file`
      expect([answer.status, answer.body.fields]).toEqual([422, { code: message }])
    }
  })

  test('is in the evidence with its source', async () => {
    const id = someone()
    await read([corrected(january, id, 'C01', '777000111')], true)
    const { body } = await portal.call('bob', 'POST', '/api/v1/report/payout-evidence', { month: february })
    expect(JSON.stringify(body)).toContain(
      `bankaccountnumber; notification of change C01 of trace ${paid(january, id)}`,
    )
  })
})
