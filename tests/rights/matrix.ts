import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../schemas/api/endpoint.ts'
import { endpoints } from '../../schemas/api/endpoints.ts'
import { nounOfOne } from '../../schemas/entities/entity.ts'
import { entities } from '../../schemas/entities/index.ts'
import { permissions, type Permission } from '../../schemas/permissions.ts'
import { createSession, hashToken } from '../../server/accounts/sessions.ts'
import { createXsrfToken } from '../../server/http/xsrf.ts'
import { testSecret } from '../setup/postgres.ts'
import { openTestPortal, type Answer, type Method, type SignedIn, type TestPortal } from '../testPortal.ts'
import { oracles } from './all.ts'
import { allows, seesEnough, rows, who } from './calls.ts'

/**
 * Every call by every kind of caller, with the records of every place in the tree of master agents. What is
 * expected follows from the tables of tests/rights, and from the tree below alone.
 */
const relations = ['own', 'descendant', 'ancestor', 'other', 'descendant of another'] as const
type Relation = (typeof relations)[number]
/** Where a record is: at an agent of the tree, in the house, which belongs to nobody, or nowhere. */
type Place = Relation | 'house' | 'missing'
/** The branch of the callers is that of the agent 'own'. */
const parents: Record<Relation, Relation | null> = {
  ancestor: null,
  own: 'ancestor',
  descendant: 'own',
  other: 'ancestor',
  'descendant of another': 'other',
}
const isInBranch = (place: Place): boolean =>
  place === 'own' ||
  (place !== 'house' && place !== 'missing' && parents[place] !== null && isInBranch(parents[place]))

export type Kind = {
  name: string
  sees: 'all' | 'branch' | 'nothing'
  admin?: boolean
  given: readonly Permission[]
  agent: Relation | 'office' | null
}
export const kinds: readonly Kind[] = [
  { name: 'a user of a branch who holds nothing', sees: 'branch', given: [], agent: 'own' },
  { name: 'a user of a branch who holds everything', sees: 'branch', given: permissions, agent: 'own' },
  {
    name: 'a user of a branch who holds everything but reports_admin',
    sees: 'branch',
    given: permissions.filter((name) => name !== 'reports_admin'),
    agent: 'own',
  },
  { name: 'a user of no agent who holds everything', sees: 'nothing', given: permissions, agent: null },
  { name: 'a user of the office who holds nothing', sees: 'all', given: [], agent: 'office' },
  { name: 'a user of the office who holds everything', sees: 'all', given: permissions, agent: 'office' },
  { name: 'an administrator', sees: 'all', admin: true, given: [], agent: null },
  { name: 'an administrator of a branch', sees: 'all', admin: true, given: [], agent: 'own' },
]

let portal: TestPortal
let stranger: SignedIn
const callers: Record<string, SignedIn> = {}
const agents: Partial<Record<Relation | 'office', number>> = {}
/** The ids of the records of each entity, by their places. */
const records: Record<string, Partial<Record<Place, number>>> = {}

/** What a call is about: the name of its kind of record, if its address has the id of one. */
function recordOf(name: string): string | null {
  const [group = '', entity = '', call = ''] = name.split('.')
  if (group === 'entities') return ['read', 'update', 'remove'].includes(call) ? entity : null
  if (group === 'decisions') return entity
  if (name === 'agents.rates') return 'masteragent'
  if (['sessions.ofUser', 'sessions.endOfUser', 'sessions.endAllOfUser'].includes(name)) return 'user'
  const ofTickets = ['read', 'update', 'remove', 'attachments', 'detach']
  return group === 'tickets' && ofTickets.includes(entity) ? 'ticket' : null
}
const nounOf = (record: string) => (entities[record] ? nounOfOne(entities[record]) : record)

type Cell = { name: string; row: Endpoint; kind: string; place: Place }
const cells: Cell[] = rows(endpoints)
  .filter(([name]) => name !== 'session.logout')
  .flatMap(([name, row]): Cell[] => {
    const record = recordOf(name)
    const places: readonly Place[] =
      record === null
        ? ['missing']
        : entities[record]?.scope === null
          ? ['house', 'missing']
          : [...relations, 'missing']
    const files = row.route.includes(':kind') ? ['merchant', 'compdata'] : ['']
    return files.flatMap((kind) => places.map((place) => ({ name, row, kind, place })))
  })

/** Sends a call that changes nothing where it is let through: a version of no record, or a field of none. */
async function send(who: SignedIn, { name, row, kind, place }: Cell): Promise<Answer> {
  const [method, route] = row.route.split(' ') as [Method, string]
  const id = (place !== 'missing' && records[recordOf(name) ?? '']?.[place]) || 999_999
  const path = route
    .replace(':id', String(id))
    .replace(':kind', kind)
    .replace(':month', '2099-01')
    .replace(':session', '999999')
    .replace(':job', '8c5b9a5c-0b0e-4f7e-9d57-9b1f5a0b6a11')
    .replace(':type', 'nothing')
  const isUpdate = recordOf(name) !== null && method === 'PUT'
  const body =
    row.upload || !row.body || ['GET', 'DELETE'].includes(method)
      ? undefined
      : isUpdate
        ? { version: 999 }
        : { surely: 'unknown' }
  const query = name === 'tickets.detach' ? '?id=999999' : ''
  return who.call(method, path + query, body, method === 'DELETE' ? { 'if-match': '"999"' } : {})
}

const said = ({ name, kind, place }: Cell, { status, body }: Answer) =>
  `${name} ${kind} of ${place}: ${status} ${JSON.stringify(body).slice(0, 120)}`
/** A call that goes through to the record may still be refused in these, which judge whose ticket it is. */
const judgesRecord = ['tickets.update', 'tickets.detach']

/** What a call is of: an entity, or a part of the portal. */
const areaOf = ({ name }: Cell) => name.split('.').at(-2)!

/** The tests of these kinds of callers, of nobody, and of a person who has not accepted the terms. */
export function testMatrix(chosen: readonly Kind[]): void {
  beforeAll(async () => {
    portal = await openTestPortal({ demo: false })
    stranger = await portal.stranger()
    const { db } = portal
    const admin = await portal.login('admin')
    const make = async (entity: string, body: object): Promise<number> => {
      const answer = await admin.call('POST', `/api/v1/${entity}`, body)
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      return answer.body.id
    }
    for (const name of ['ancestor', 'own', 'descendant', 'other', 'descendant of another'] as const) {
      const parent = parents[name]
      agents[name] = await make('masteragent', { name, parentid: parent ? agents[parent] : 0 })
    }
    agents.office = await make('masteragent', { name: 'office', parentid: 0, isofficeaccount: true })
    let count = 0
    for (const { oracle } of oracles) {
      const ids: (typeof records)[string] = (records[oracle.it.name] = {})
      const places = oracle.it.scope === null ? (['house'] as const) : relations
      for (const place of places) {
        // A record of an agent is below it; the agents themselves are there already.
        ids[place] =
          oracle.it.name === 'masteragent'
            ? agents[place as Relation]!
            : await make(oracle.it.name, oracle.draft((count += 1), agents[place as Relation] ?? 0))
      }
    }
    records.ticket = {}
    for (const place of relations) {
      const [ticket] = await db.query<{ id: number }>(
        `insert into ticket (email, tickettypeid, subject, description, reporter, masteragentid)
        values ('a@example.com', 1, 's', 'd', 'r', $1) returning id`,
        [agents[place]],
      )
      records.ticket[place] = ticket!.id
    }
    for (const { name, admin: isAdmin = false, given, agent } of [
      ...kinds,
      { ...kinds[1]!, name: 'pending' },
    ]) {
      const [user] = await db.query<{ id: number }>(
        `insert into portal_user (username, password_hash, admin, permissions, masteragentid, email)
        values ($1, '', $2, $3, $4, 'a@example.com') returning id`,
        [name, isAdmin, given, agent && agents[agent]],
      )
      if (name !== 'pending')
        await db.query(
          `insert into terms_acceptance (termsid, userid, ipaddress) select max(id), $1, '' from terms`,
          [user!.id],
        )
      const token = await createSession(db, { userid: user!.id, address: '127.0.0.1', userAgent: '' })
      callers[name] = portal.resume({ token, cookie: createXsrfToken(testSecret, hashToken(token)) })
    }
  })
  afterAll(() => portal.close())

  test('every place has a record of every kind, and every call a cell', () => {
    expect(new Set(cells.map(({ name }) => name)).size).toBe(rows(endpoints).length - 1)
    for (const [name, ids] of Object.entries(records))
      expect(
        Object.values(ids).every((id) => id > 0),
        name,
      ).toBe(true)
  })

  const areas = [...new Set(cells.map(areaOf))]
  const asked = chosen.flatMap((kind) => areas.map((area) => ({ name: kind.name, kind, area })))
  test.each(asked)('$name gets what docs/product says, of $area and every record', async ({ kind, area }) => {
    const { admin = false, given, sees } = kind
    const wrong: string[] = []
    for (const cell of cells.filter((it) => areaOf(it) === area)) {
      const answer = await send(callers[kind.name]!, cell)
      const { status, body } = answer
      const record = recordOf(cell.name)
      const isHidden =
        status === 404 && record !== null && body.error === `This ${nounOf(record)} does not exist`
      const may =
        allows(who[cell.name]!, { admin, given }) && seesEnough(cell.name, cell.kind, sees === 'all', given)
      const exists = record === null || cell.place !== 'missing'
      const isSeen =
        exists &&
        (record === null ||
          sees === 'all' ||
          cell.place === 'house' ||
          (sees === 'branch' && isInBranch(cell.place)))
      const is =
        status === 401 || status === 428 || status >= 500
          ? 'broken'
          : isHidden
            ? 'hidden'
            : status === 403 && !(may && judgesRecord.includes(cell.name))
              ? 'refused'
              : 'let through'
      const should = !may ? 'refused' : isSeen ? 'let through' : 'hidden'
      if (is !== should) wrong.push(`${should}, but ${said(cell, answer)}`)
    }
    expect(wrong).toEqual([])
  })

  test('nobody gets anything without a session, or before the terms are accepted', async () => {
    const wrong: string[] = []
    for (const cell of cells.filter(({ place }) => place === 'own' || place === 'missing')) {
      const allowed = who[cell.name]
      const [without, pending] = [await send(stranger, cell), await send(callers['pending']!, cell)]
      if ((without.status === 401) !== (allowed !== 'anyone'))
        wrong.push(`a stranger: ${said(cell, without)}`)
      // Renewal answers 428 itself, which asks for the terms.
      const isOpen = (allowed === 'anyone' || allowed === 'pending') && cell.name !== 'session.renew'
      if ((pending.status === 428) !== !isOpen) wrong.push(`pending: ${said(cell, pending)}`)
    }
    expect(wrong).toEqual([])
  })

  const scoped = oracles.filter(({ oracle }) => oracle.it.scope !== null).map(({ oracle }) => oracle)

  test.each(chosen)(
    '$name is listed the records in sight alone, and may create there alone',
    async (kind) => {
      const { admin = false, given, sees } = kind
      const caller = callers[kind.name]!
      const visible = (place: Place) => sees === 'all' || (sees === 'branch' && isInBranch(place))
      let count = 1_000 * (kinds.indexOf(kind) + 1)
      for (const oracle of scoped) {
        const { name } = oracle.it
        if (oracle.list({ admin, given })) {
          const { body } = await caller.call('GET', `/api/v1/${name}?size=100`)
          const listed = body.data.map(({ id }: { id: number }) => id)
          for (const place of relations)
            expect(listed.includes(records[name]![place]), `${name} of ${place}`).toBe(visible(place))
        }
        for (const place of relations) {
          const draft = oracle.draft((count += 1), agents[place]!)
          const { status, body } = await caller.call('POST', `/api/v1/${name}`, draft)
          const should = !oracle.create({ admin, given }) ? 403 : visible(place) ? 201 : 422
          expect(status, `${name} at ${place}: ${JSON.stringify(body)}`).toBe(should)
        }
      }
      for (const name of ['masteragent', 'merchant'])
        for (const place of relations) {
          const { body } = await caller.call('GET', `/api/v1/${name}/ids?id=${records[name]![place]}`)
          expect(body.data.length, `${name}/ids of ${place}`).toBe(visible(place) ? 1 : 0)
        }
      const { body } = await caller.call('GET', '/api/v1/ticket?size=100')
      const tickets = body.data.map(({ id }: { id: number }) => id)
      for (const place of relations)
        expect(tickets.includes(records.ticket![place]), `ticket of ${place}`).toBe(visible(place))
    },
  )
}
