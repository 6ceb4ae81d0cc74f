import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entities } from '../../../schemas/entities/index.ts'
import { labelOf, lookups, type LookupName } from '../../../schemas/entities/lookups.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
let agent: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  ;[admin, agent] = [await portal.login('admin'), await portal.login('agent')]
  await portal.db.query('delete from equipment')
  await portal.db.query('delete from adjustment')
  await portal.db.query(`update merchant set notes = '', product = '', tinstatus = ''`)
})
afterAll(() => portal.close())

type Listed = { id: number } & Record<string, unknown>
const list = async (path: string, who = admin): Promise<Listed[]> => {
  const { status, body } = await who.call('GET', `/api/v1/${path}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.total_length).toBeGreaterThanOrEqual(body.data.length)
  return body.data as Listed[]
}
const ids = async (path: string, who = admin) => (await list(path, who)).map(({ id }) => id)
const search = (name: string, text: string, who = admin) =>
  ids(`${name}?size=100&search=${encodeURIComponent(text)}`, who)
const filter = (name: string, text: string, who = admin) =>
  ids(`${name}?size=100&filter=${encodeURIComponent(text)}`, who)
const make = async (name: string, body: object): Promise<Listed> => {
  const answer = await admin.call('POST', `/api/v1/${name}`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body as Listed
}
/** A merchant of agent 2 with these fields. */
let count = 0
const shop = (fields: object) =>
  make('merchant', { xmid: `77${(count += 1)}`, dba: `Shop ${count}`, masteragentid: 2, ...fields })

describe('a search', () => {
  test('finds words in any order, in any case, across the texts that the list shows', async () => {
    const { id } = await shop({ businesstype: 'Quarry', status: 'Zapproved', notes: 'call before noon' })
    for (const text of ['zapproved quarry', 'QUARRY  zapp', 'noon\tquarry\ncall', 'arr app oon'])
      expect(await search('merchant', text)).toEqual([id])
    expect(await search('merchant', 'zapproved quarry tuesday')).toEqual([])
  })

  test.each(['businesstype', 'product', 'status', 'sales_rep', 'tinstatus', 'notes', 'xmid', 'dba'])(
    'looks into the %s of a merchant',
    async (field) => {
      const { id } = await shop({ [field]: `Vermilion${field.length}` })
      expect(await search('merchant', `milion${field.length}`)).toContain(id)
    },
  )

  test('finds the merchants of an agent by its number and its name, as they are shown', async () => {
    const branch = await make('masteragent', { name: 'Umbra Partners', parentid: 2 })
    const { id } = await shop({ masteragentid: branch.id })
    for (const text of [
      'umbra',
      `${branch.displayid}`,
      'partners umbra',
      `${branch.displayid} - Umbra Partners`,
    ])
      expect(await search('merchant', text)).toEqual([id])
    expect(await search('masteragent', String(branch.displayid))).toEqual([branch.id])
    const child = await make('masteragent', { name: 'Below', parentid: branch.id })
    expect(new Set(await search('masteragent', 'umbra'))).toEqual(new Set([branch.id, child.id]))
  })

  test('finds a terminal by the merchant who has it and by the word for its owner', async () => {
    const { id: merchantid } = await shop({ dba: 'Ochre Bakery' })
    const one = { serialnumber: 'S-1', model: 'Duo', merchantid, equipmentownertypeid: 3 }
    const { id } = await make('equipment', one)
    await make('equipment', { serialnumber: 'S-2', model: 'Duo', masteragentid: 2, equipmentownertypeid: 1 })
    for (const text of ['ochre', 'duo ochre', 's-1', 'bakery duo'])
      expect(await search('equipment', text)).toEqual([id])
    expect(await search('equipment', 'merch')).toEqual([id])
  })

  test('does not find by the name of a merchant whom the caller is not shown', async () => {
    const hidden = await shop({ dba: 'Cobalt', masteragentid: 3 })
    const { id } = await make('equipment', {
      serialnumber: 'S-3',
      model: 'Trio',
      merchantid: hidden.id,
      masteragentid: 2,
    })
    expect(await search('equipment', 'cobalt')).toEqual([id])
    expect(await search('equipment', 'trio', agent)).toEqual([id])
    expect(await search('equipment', 'cobalt', agent)).toEqual([])
    expect(await filter('equipment', `merchantid:${hidden.id}`)).toEqual([id])
    expect(await filter('equipment', `merchantid:${hidden.id}`, agent)).toEqual([])
  })

  test.each([7, 8, 9])(
    'by %i digits of an XMID finds what has all of them, in lists, pickers and references, and not what ends alike',
    async (digits) => {
      const { id, xmid } = await shop({ xmid: `9${digits}0123456789` })
      const alike = await shop({ xmid: `8${digits}0123456789` })
      const [terminal] = await Promise.all(
        [id, alike.id].map((merchantid) =>
          make('equipment', { serialnumber: `S-${merchantid}`, model: 'Quad', merchantid, masteragentid: 2 }),
        ),
      )
      const word = (xmid as string).slice(0, digits)
      expect(await search('merchant', word)).toEqual([id])
      expect(await search('equipment', word)).toEqual([terminal!.id])
      const { body } = await admin.call('GET', `/api/v1/merchant/ids?size=10&search=${word}`)
      expect((body.data as Listed[]).map((row) => row.id)).toEqual([id])
      expect(await search('merchant', `${word} shop`)).toEqual([id])
      expect(await search('merchant', '0123456789')).toEqual(expect.arrayContaining([id, alike.id]))
    },
  )

  test('reads a single dash as a word, and a dash between words as none', async () => {
    const { id } = await make('processor', { name: 'Dash-Pay' })
    await make('processor', { name: 'Plain Pay' })
    expect(await search('processor', '-')).toEqual([id])
    for (const words of ['plain - pay', 'plain -']) expect(await search('processor', words)).toHaveLength(1)
  })

  test('finds an adjustment and a statement by the name of the month', async () => {
    const draft = { masteragentid: 2, amount: 5, reason: 'Postage' }
    const [{ month: open } = { month: '' }] = await portal.db.query<{ month: string }>(
      `select to_char(coalesce(max(month), now()) + interval '1 month', 'YYYY-MM') as month from month_lock`,
    )
    const { id } = await make('adjustment', { ...draft, month: open })
    const name = new Date(`${open}-01T00:00:00Z`).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' })
    expect(await search('adjustment', `postage ${name}`)).toEqual([id])
    expect(await search('adjustment', `${open.slice(0, 4)} ${name} admin accepted`)).toEqual([id])
    expect(await search('adjustment', 'postage refused')).toEqual([])
  })

  test('of more than 12 words is refused, of 12 it is not', async () => {
    const words = (n: number) => Array.from({ length: n }, (_, at) => `w${at}`).join('+')
    expect((await admin.call('GET', `/api/v1/merchant?search=${words(12)}`)).status).toBe(200)
    expect(await admin.call('GET', `/api/v1/merchant?search=${words(13)}`)).toMatchObject({
      status: 400,
      body: { error: 'search may have at most 12 words' },
    })
  })

  test.each(Object.values(entities).filter((it) => !it.list.unsearched))(
    'of $name looks into every text that its list shows',
    async (it) => {
      const [{ expression } = { expression: '' }] = await portal.db.query<{ expression: string }>(
        `select generation_expression as expression from information_schema.columns
          where table_name = $1 and column_name = 'searched'`,
        [it.table],
      )
      const texts = it.list.columns.filter(({ field, as = 'text' }) => {
        const { secret, virtual, kind } = it.schema.properties[field]!
        return (
          !secret && !virtual && field !== 'id' && (as === 'month' || (as === 'text' && kind !== 'number'))
        )
      })
      const missing = texts.filter(({ field }) => field !== 'displayid' && !expression.includes(field))
      expect(missing).toEqual([])
    },
  )
})

describe('a picker of few records', () => {
  const names = Object.keys(lookups) as LookupName[]
  test.each(names)(
    'of %s finds by words of a label what has all of them, and by others nothing',
    async (name) => {
      const { table, fields } = lookups[name]
      const all = await portal.db.query<{ id: number } & Record<string, string>>(
        `select id, ${fields.join(', ')} from ${table} order by ${fields[0]}, id`,
      )
      const picked = async (text: string) => {
        const { body } = await admin.call(
          'GET',
          `/api/v1/${name}/ids?size=100&search=${encodeURIComponent(text)}`,
        )
        return (body.data as { id: number }[]).map(({ id }) => id)
      }
      const withWords = (text: string) =>
        all
          .filter((row) =>
            text
              .toLowerCase()
              .split(' ')
              .every((word) => labelOf(name, row).toLowerCase().includes(word)),
          )
          .map(({ id }) => id)
          .slice(0, 100)
      for (const row of all.filter((_, at) => at % Math.ceil(all.length / 20) === 0)) {
        const [first, second] = fields.map((field) => row[field]!)
        expect(await picked(first!)).toContain(row.id)
        for (const text of [
          first!,
          second!.split(' ')[0]!,
          `${first!.slice(-4)} ${second!.slice(0, 3).trim()}`,
        ])
          expect(await picked(text), text).toEqual(withWords(text))
      }
      expect(await picked('zzznothing')).toEqual([])
    },
  )
})

describe('a filter', () => {
  test('of choices takes one of several', async () => {
    const own = await Promise.all(
      [1, 2, 3].map((accountstatus) => shop({ accountstatus, tinstatus: 'Fchoice' })),
    )
    const [unknown, active, inactive] = own.map(({ id }) => id)
    const found = async (codes: string) =>
      new Set(await ids(`merchant?size=100&search=fchoice&filter=accountstatus:${codes}`))
    expect(await found('2')).toEqual(new Set([active]))
    expect(await found('1,3')).toEqual(new Set([unknown, inactive]))
  })

  test('of a choice with None finds what has none, and of a flag both of its words', async () => {
    const { id } = await make('equipment', { serialnumber: 'S-9', model: 'Quad', masteragentid: 2 })
    expect(await filter('equipment', 'equipmentownertypeid:none')).toContain(id)
    expect(await filter('equipment', 'equipmentownertypeid:1,none')).toContain(id)
    expect(await filter('equipment', 'equipmentownertypeid:1')).not.toContain(id)
    const [all, office, others] = await Promise.all(
      ['', 'isofficeaccount:true', 'isofficeaccount:false'].map((text) => filter('masteragent', text)),
    )
    expect(office!.length).toBeGreaterThan(0)
    expect([...office!, ...others!].sort()).toEqual([...all!].sort())
  })

  test('of a reference lists the records of one agent or of several, and those below none', async () => {
    const [two, three] = [await shop({ masteragentid: 2 }), await shop({ masteragentid: 3 })]
    const found = async (text: string) => filter('merchant', `${text};notes:empty;date_added:empty`)
    expect(await found('masteragentid:3')).toContain(three.id)
    expect(await found('masteragentid:3')).not.toContain(two.id)
    expect(await found('masteragentid:2,3')).toEqual(expect.arrayContaining([two.id, three.id]))
    const tops = await filter('masteragent', 'parentid:0')
    const parents = await portal.db.query<{ id: number }>(
      'select id from master_agent where parentid is null',
    )
    expect(tops.toSorted()).toEqual(parents.map(({ id }) => id).toSorted())
    expect(await filter('masteragent', 'parentid:empty')).toEqual(tops)
  })

  test.each([
    ['2026-01-10..', [10, 11]],
    ['..2026-01-10', [9, 10]],
    ['2026-01-10..2026-01-10', [10]],
    ['2026-01-09..2026-01-10', [9, 10]],
    ['empty', [0]],
    ['filled', [9, 10, 11]],
  ])('of days %s holds both ends', async (range, days) => {
    const at = (day: number) => Date.UTC(2026, 0, day) / 1000
    await portal.db.query(`delete from merchant where status = 'Fdays'`)
    const made = new Map<number, number>()
    for (const day of [9, 10, 11]) made.set((await shop({ status: 'Fdays', date_received: at(day) })).id, day)
    made.set((await shop({ status: 'Fdays', date_received: 0 })).id, 0)
    const found = await ids(`merchant?size=100&search=fdays&filter=date_received:${range}`)
    expect(found.map((id) => made.get(id)).toSorted((a, b) => a! - b!)).toEqual(days)
  })

  test.each([
    ['9.99..10.01', [10]],
    ['10..10', [10]],
    ['10.01..', []],
    ['..-5', [-5]],
    ['-5.01..10', [-5, 10]],
  ])('of numbers %s holds both ends', async (range, amounts) => {
    await portal.db.query('delete from adjustment')
    for (const amount of [-5, 10])
      await make('adjustment', { masteragentid: 2, amount, reason: 'Range', month: await openMonth() })
    const found = await list(`adjustment?size=100&filter=amount:${range}`)
    expect(found.map(({ amount }) => amount).toSorted((a, b) => Number(a) - Number(b))).toEqual(amounts)
  })

  test('of months holds both ends', async () => {
    await portal.db.query('delete from processor_statement')
    await portal.db.query(
      `insert into processor_statement (processor, month, statednet)
        select 'Nowhere', '2025-01-01'::date + n * interval '1 month', 1 from generate_series(0, 3) n`,
    )
    const found = await list('processorstatement?size=100&filter=month:2025-02..2025-03')
    expect(found.map(({ month }) => month)).toEqual(['2025-03', '2025-02'])
    expect(await filter('processorstatement', 'statednet:filled;filenet:empty')).toHaveLength(4)
  })

  test.each([
    [
      'merchant',
      'accountstatus:9',
      'Filter Account Status: "9" is none of 1 (Unknown), 2 (Active), 3 (Inactive)',
    ],
    [
      'merchant',
      'accountstatus:',
      'Filter Account Status: "" is none of 1 (Unknown), 2 (Active), 3 (Inactive)',
    ],
    ['merchant', 'accountstatus:empty', 'Filter Account Status: it is never empty'],
    ['merchant', 'masteragentid:x', 'Filter Master Agent: "x" is not the number of a record'],
    ['merchant', 'masteragentid:0', 'Filter Master Agent: "0" is not the number of a record'],
    [
      'merchant',
      'masteragentid:99999999999',
      'Filter Master Agent: "99999999999" is not the number of a record',
    ],
    ['merchant', 'date_added:2026-02-30..', 'Filter Date Added: "2026-02-30" is not a day as 2026-01-31'],
    ['merchant', 'date_added:2026-02-01..2026-01-31', 'Filter Date Added: 2026-02-01 comes after 2026-01-31'],
    ...['..', '2026-01-31', '2026-01-01..2026-01-02..', '..2026-01-01..', '2026-01-01....'].map((range) => [
      'merchant',
      `date_added:${range}`,
      'Filter Date Added: a range is written from..to, one of them may be missing',
    ]),
    ['merchant', 'notes:empty;notes:filled', 'Filter Notes: it is there twice'],
    ['merchant', 'notes:x', 'Filter Notes: it can be empty or filled'],
    ['adjustment', 'amount:1e3..', 'Filter Amount: "1e3" is not a number as 1250.5'],
    ['processorstatement', 'month:2026-13..', 'Filter Month: "2026-13" is not a month as 2026-01'],
  ])('of %s %s is refused with a sentence', async (name, text, error) => {
    const path = `/api/v1/${name}?filter=${encodeURIComponent(text)}`
    expect(await admin.call('GET', path)).toMatchObject({ status: 400, body: { error, code: 'filter' } })
    expect(await admin.call('GET', path.replace('?', '/export?'))).toMatchObject({
      status: 400,
      body: { error },
    })
  })

  test.each(['bankaccountnumber:filled', 'taxid:empty', 'notes:filled', 'constructor:1', ';', 'password:x'])(
    'by %s, which the list of agents does not show, is refused',
    async (text) => {
      const { status, body } = await admin.call(
        'GET',
        `/api/v1/masteragent?filter=${encodeURIComponent(text)}`,
      )
      expect([status, body.error]).toEqual([
        400,
        expect.stringContaining(' is no filter of this list: use parentid, '),
      ])
    },
  )

  test('by any field of a list without filters is refused, and told that there are none', async () => {
    const { status, body } = await admin.call('GET', '/api/v1/tc?filter=tctext:empty')
    expect([status, body.error]).toEqual([400, '"tctext" is no filter of this list: use none'])
  })

  test('stays in the scope of the caller', async () => {
    await shop({ masteragentid: 3, status: 'Fscope' })
    expect(await filter('merchant', 'masteragentid:3', agent)).toEqual([])
    expect(await search('merchant', 'fscope', agent)).toEqual([])
  })
})

/** The month after the last locked one, as '2026-11'. */
const openMonth = async () => {
  const [found] = await portal.db.query<{ month: string }>(
    `select to_char(coalesce(max(month), now()) + interval '1 month', 'YYYY-MM') as month from month_lock`,
  )
  return found!.month
}

test('statements of processors come newest first, other lists by id', async () => {
  await portal.db.query('delete from processor_statement')
  for (const month of ['2025-05', '2025-07', '2025-06'])
    await portal.db.query(
      `insert into processor_statement (processor, month, statednet) values ('Aurora', $1::text::date, 1)`,
      [`${month}-01`],
    )
  const months = async (sort: string) =>
    (await list(`processorstatement?sort=${sort}`)).map(({ month }) => month)
  expect(await months('')).toEqual(['2025-07', '2025-06', '2025-05'])
  expect(await months('month')).toEqual(['2025-05', '2025-06', '2025-07'])
  const listed = await ids('merchant')
  expect(listed).toEqual(listed.toSorted((a, b) => a - b))
})

test('the list of users names the master agent of each', async () => {
  const [user] = await list('user?search=agent')
  expect(user!.labels).toEqual({ masteragentid: expect.stringMatching(/^2 - /) })
})
