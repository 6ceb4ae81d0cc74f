import type { ImportAnswers } from '../../schemas/imports/answers.ts'
import type { Mapping } from '../../schemas/imports/mapping/mapping.ts'
import type { Permission } from '../../schemas/permissions.ts'
import { foldName } from '../../schemas/usernames.ts'
import { hashPassword } from '../../server/accounts/passwordHash.ts'
import type { Db } from '../../server/db/db.ts'
import { encrypt } from '../../server/db/encryption.ts'
import { testSecret } from '../setup/postgres.ts'
import { openTestPortal, type Answer, type Method, type SignedIn, type TestPortal } from '../testPortal.ts'
import { netOf, processors, type Book, type Processor } from './book.ts'
import { draftOf, fileOf, mappingOf, type Layout, type MonthFile } from './draft.ts'

/** ann imports, waives and locks; bob approves and releases. Both see all master agents. */
export type Person = 'ann' | 'bob' | 'admin'
export const password = 'nine tall green lanterns'
const people: Record<'ann' | 'bob', Permission[]> = {
  ann: ['import_files', 'lock_reports', 'manage_master_agents', 'edit_commission'],
  bob: ['lock_reports', 'manage_master_agents'],
}

/** What an upload of compensation data answers. */
export type Sent = Answer
export type MonthPortal = TestPortal & {
  call(who: Person, method: Method, path: string, body?: object): Promise<Answer>
  /** Imports a file as ann. */
  send(file: MonthFile, answers?: ImportAnswers, more?: Record<string, string>): Promise<Sent>
}

const multipart = ({ filename, content }: MonthFile, fields: Record<string, string>): Buffer => {
  const part = (disposition: string, body: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`--cut\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ])
  return Buffer.concat([
    ...Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value)),
    part(`name="file"; filename="${filename}"`, content),
    Buffer.from('--cut--\r\n'),
  ])
}

/** A portal with people who sign in at their first call. */
function withPeople(portal: TestPortal): MonthPortal {
  const signedIn = new Map<Person, Promise<SignedIn>>()
  const as = (who: Person) => {
    const known = signedIn.get(who) ?? portal.login(who, password)
    signedIn.set(who, known)
    return known
  }
  return {
    ...portal,
    call: async (who, method, path, body) => (await as(who)).call(method, path, body),
    async send(file, answers, more = {}) {
      const fields = { ...more, ...(answers && { answers: JSON.stringify(answers) }) }
      const header = { 'content-type': 'multipart/form-data; boundary=cut' }
      return (await as('ann')).call('POST', '/api/v1/file/compdata', multipart(file, fields), header)
    },
  }
}

async function addPeople(db: Db) {
  for (const [username, permissions] of Object.entries(people))
    await db.query(
      `insert into portal_user (username, foldedname, password_hash, permissions, masteragentid)
        values ($1, $2, $3, $4, 1)`,
      [username, foldName(username), await hashPassword(password), permissions],
    )
}

/** Agents with accounts of their own, merchants, and the volume of some of them. */
async function addBook(db: Db, { agents, shops, volumes }: Book) {
  await db.query(
    `insert into master_agent (id, name, parentid, isofficeaccount, payoninactive, commissionnoteditable, businessname,
        notes, routingnumber, isbankaccounttypebusiness, percentagecommissionreceived)
      select id, name, parent, id = 1, false, false, '', '', '021000021', true, percent
      from jsonb_to_recordset($1) as x (id int, name text, parent int, percent numeric)`,
    [JSON.stringify(agents)],
  )
  for (const { id } of agents)
    await db.query('update master_agent set bankaccountnumber = $2 where id = $1', [
      id,
      encrypt(testSecret, `00123${id}`, `master_agent.bankaccountnumber.${id}`),
    ])
  await db.query(
    `insert into merchant (id, xmid, dba, masteragentid, accountstatus, processor, date_approved, date_added)
      select id, mid, dba, agent, 2, processor, 1700000000, 1700000000
      from jsonb_to_recordset($1) as x (id int, mid text, dba text, agent int, processor text)`,
    [JSON.stringify(shops)],
  )
  for (const table of ['master_agent', 'merchant'])
    await db.query(`select setval(pg_get_serial_sequence('${table}', 'id'), 1000)`)
  const [batch] = await db.query<{ id: number }>(
    `insert into import_batch (kind, filename, sha256, size, username, fordate, rows, inserted, updated, unchanged)
      values ('dailyvolume', 'volume.csv', '', 0, 'ann', '2026-01-01', 0, 0, 0, 0) returning id`,
  )
  await db.query(
    `insert into daily_volume (volumedate, xmid, batchnumber, salescount, salesamount, netamount, batchid)
      select day, mid, n, 1, sales / 100, sales / 100, $2
      from jsonb_to_recordset($1) as x (day date, mid text, sales numeric, n text)`,
    [JSON.stringify(volumes.map((it, n) => ({ ...it, n: String(n) }))), batch!.id],
  )
}

const settings = { demo: false, adminPassword: password, timeZone: 'UTC' }
/**
 * A portal with the agents and merchants of a book, and no file yet. Its merchants have their processors
 * unless `knowsProcessors` is false.
 */
export async function emptyPortal(book: Book, { knowsProcessors = true } = {}): Promise<MonthPortal> {
  const portal = await openTestPortal(settings)
  await addBook(portal.db, book)
  await addPeople(portal.db)
  if (!knowsProcessors) await portal.db.query(`update merchant set processor = ''`)
  return withPeople(portal)
}

/** A portal like one that was stopped. */
export const copyOf = async (stopped: TestPortal): Promise<MonthPortal> =>
  withPeople(await openTestPortal(settings, stopped))

/** The body of an answer 200 or 201; throws otherwise. */
export async function expected<T = unknown>(call: Promise<Answer>): Promise<T> {
  const { status, body } = await call
  if (status !== 200 && status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body as T
}

/** The file of a processor as it should be, and the mapping it needs the first time. */
export function cleanFile(book: Book, layout: Layout, month: string) {
  const draft = draftOf(layout, book.figures(month, layout.processor), month)
  return { file: fileOf(layout, draft), mapping: mappingOf(layout, draft) }
}

/** Types the total of a processor's statement, in dollars. */
export const typeTotal = (portal: MonthPortal, month: string, processor: string, statednet: number) =>
  expected(
    portal.call('ann', 'POST', '/api/v1/processorstatement', {
      processor,
      month,
      statednet,
      nofile: false,
      note: '',
    }),
  )

export const totalOf = (book: Book, month: string, processor: Processor) =>
  book.figures(month, processor).reduce((cents, row) => cents + netOf(row), 0) / 100

/** Sends the files of a month as they should be, and types the totals. `answersOf` is what each one needs. */
export async function importMonth(
  portal: MonthPortal,
  book: Book,
  month: string,
  layouts: Readonly<Record<Processor, Layout>>,
  answersOf: (processor: Processor, mapping: Mapping | null) => ImportAnswers | undefined,
) {
  for (const processor of processors) {
    const { file, mapping } = cleanFile(book, layouts[processor], month)
    await expected(portal.send(file, answersOf(processor, mapping)))
    await typeTotal(portal, month, processor, totalOf(book, month, processor))
  }
}

/** Locks, approves and marks a month as paid. */
export async function payMonth(portal: MonthPortal, month: string) {
  const path = `/api/v1/month/${month}`
  await expected(portal.call('ann', 'POST', `${path}/lock`, {}))
  const { hash } = await expected<{ hash: string }>(portal.call('bob', 'GET', `${path}/payout`))
  await expected(portal.call('bob', 'POST', `${path}/approve`, { hash }))
  await expected(portal.call('bob', 'POST', `${path}/release`, { hash, how: 'other' }))
}
