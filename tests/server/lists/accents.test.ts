import { afterAll, beforeAll, expect, test } from 'vitest'
import { entities } from '../../../schemas/entities/index.ts'
import { ticketList } from '../../../schemas/entities/ticket.ts'
import { accents } from '../../../schemas/reportOrder.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
beforeAll(async () => {
  portal = await openTestPortal()
  await portal.db.query(`update portal_user set email = 'admin@example.com' where username = 'admin'`)
  admin = await portal.login('admin')
})
afterAll(() => portal.close())

/** How a record with a text is made, by list. */
const makers: Readonly<Record<string, string>> = {
  merchant: `insert into merchant (xmid, dba, masteragentid) values (md5($1), $1, 2) returning id`,
  masteragent: 'update master_agent set name = $1 where id = 9 returning id',
  equipment: `insert into equipment (model, serialnumber) values ($1, md5($1)) returning id`,
  adjustment: `insert into adjustment (masteragentid, month, amount, reason, author)
    values (2, '2031-01-01', 1, $1, 'ann') returning id`,
  processor: 'insert into processor (name) values ($1) returning id',
  processorstatement: `insert into processor_statement (processor, month, note)
    values (md5($1), '2031-01-01', $1) returning id`,
  user: `insert into portal_user (username, password_hash) values ($1, '') returning id`,
  ticket: `insert into ticket (email, tickettypeid, subject, description, reporter)
    values ('ann@example.com', 9, $1, '', 'ann') returning id`,
}
const make = async (name: string, text: string) => {
  const [made] = await portal.db.query<{ id: number }>(makers[name]!, [text])
  return made!.id
}

const found = async (path: string, search: string): Promise<number[]> => {
  const { status, body } = await admin.call(
    'GET',
    `/api/v1/${path}?size=100&search=${encodeURIComponent(search)}`,
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map(({ id }: { id: number }) => id)
}

test.each([...Object.values(entities).filter(({ list }) => !list.unsearched), ticketList])(
  'a search of $name goes by letters without their accents',
  async ({ name }) => {
    for (const stored of ['La Señora Josué', 'La Sen\u0303ora Josue\u0301', 'La SENORA JOSUE']) {
      const id = await make(name, stored)
      // The accents stand with their letter, or after it.
      for (const search of ['senora josue', 'SEÑORA Josué', 'sen\u0303ora josue\u0301', 'EÑORA josu'])
        expect(await found(name, search), search).toContain(id)
      expect(await found(name, 'señora joséu')).toEqual([])
    }
  },
)

test.each([
  ['merchant', 'merchant', `xmid || ' ' || dba`],
  ['masteragent', 'master_agent', `displayid || ' ' || name`],
])('a picker of %s goes by letters without their accents, and by its index', async (name, table, label) => {
  const id = await make(name, 'Ñandú Azul')
  for (const search of ['nandu', 'ÑANDÚ azul', 'n\u0303andu\u0301'])
    expect(await found(`${name}/ids`, search), search).toEqual([id])
  const plan = await portal.db.transaction(async (tx) => {
    await tx.query('set local enable_seqscan = off')
    return tx.query(`explain select id from ${table} where search_text(${label}) like '%nandu%'`)
  })
  expect(JSON.stringify(plan)).toContain(`${table}_names`)
})

test('Find names first what begins with the word, whatever its accents', async () => {
  for (const dba of ['Bar of Íbex', 'Íbex Bar', 'Bar of IBEX'])
    await portal.db.query(`insert into merchant (xmid, dba, masteragentid) values ('99' || md5($1), $1, 2)`, [
      dba,
    ])
  const { body } = await admin.call('GET', '/api/v1/find?q=ibex')
  const [first, ...others] = body.data.find(({ title }: { title: string }) => title === 'Merchants').rows
  expect(first.text).toMatch(/ - Íbex Bar$/)
  expect(others).toHaveLength(2)
})

test('what counts as an accent in a search is what counts as one in the order of reports', async () => {
  const found = await portal.db.query<{ code: number }>(
    `select c as code from generate_series(1, 200000) c
      where c not between 55296 and 57343 and (normalize(chr(c), NFD) = chr(c))
        and (search_text('a' || chr(c)) = 'a') <> (chr(c) ~ '[${accents}]')`,
  )
  expect(found).toEqual([])
})
