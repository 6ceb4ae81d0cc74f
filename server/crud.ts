import type { Call } from './call.ts'
import type { Caller } from './auth.ts'
import { audit } from './audit.ts'
import type { Db, Sql } from './db.ts'
import { notFound, Refusal } from './errors.ts'
import { countReferences } from './references.ts'
import { inScope, literal, quoted, searched, selection, source } from './sql.ts'
import type { ListQuery } from '../schemas/endpoints.ts'
import { frozen, references, type Entity, type Row } from '../schemas/entity.ts'
import { lites, type LiteName } from '../schemas/lites.ts'

type ById = Call<{ id: string }, object, Row>
type Body = Record<string, unknown>

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
const idOf = (it: Entity, { params }: ById): number => {
  const id = Number(params.id)
  if (!/^\d{1,10}$/.test(params.id) || id < 1 || id > 2_147_483_647) throw notFound(it.noun)
  return id
}

async function find(sql: Sql, it: Entity, scope: number[] | null, id: number): Promise<Row> {
  const [row] = await sql.query<Row>(`select ${selection(it)} from ${source(it)} where ${inScope(it.scope)} and t.id = $2`, [scope, id])
  if (!row) throw notFound(it.noun)
  return row
}

/** Refuses with 403 what the sender may not change; a value sent back as it was is no change. */
function checkFields(it: Entity, caller: Caller, body: Body, row?: Row) {
  const refused = frozen(it, caller, row).filter((field) => !['id', 'version'].includes(field) && field in body && !(row && same(body[field], row[field])))
  if (refused.length === 0) return
  const titles = refused.map((field) => it.schema.properties[field]?.title ?? field)
  const message = (title: string) => `You may not change ${title}`
  throw new Refusal(403, message(titles.join(', ')), { fields: Object.fromEntries(refused.map((field, index) => [field, message(titles[index]!)])) })
}

/** Refuses with 422 a reference to what the caller cannot see: it answers like one that does not exist. */
async function checkReferences(sql: Sql, it: Entity, scope: number[] | null, body: Body, row?: Row) {
  for (const [field, to] of references(it)) {
    const id = body[field]
    if (typeof id !== 'number' || same(id, row?.[field])) continue
    const lite = lites[to as LiteName]
    const [known] = await sql.query(`select 1 from ${quoted(lite.table)} t where ${inScope(lite.scope)} and t.id = $2`, [scope, id])
    const message = `${it.schema.properties[field]!.title} ${id} does not exist`
    if (!known) throw new Refusal(422, message, { fields: { [field]: message } })
  }
}

/** The version a write was based on: If-Match or the body's `version`. */
const versionOf = ({ body, request }: ById): number | null => {
  const header = request.headers['if-match']
  const version = header === undefined ? body?.version : Number(header.replace(/^(W\/)?"?(\d+)"?$/, '$2'))
  if (version !== undefined && !Number.isInteger(version)) throw new Refusal(400, 'If-Match must be the version of the record, a whole number')
  return version ?? null
}

const orderBy = (it: Entity, sort: string) => {
  const field = sort.replace(/^-/, '')
  if (field === '') return 't.id'
  const column = it.list.columns.find((column) => column.field === field)
  if (!column) throw new Refusal(400, `sort must be one of ${it.list.columns.map((column) => column.field).join(', ')}, or one with a leading -`)
  const reference = references(it).findIndex(([name]) => name === field)
  const key = reference < 0 ? `t.${quoted(field)}` : `r${reference}.${quoted(lites[references(it)[reference]![1] as LiteName].fields[0])}`
  return `${key} ${sort.startsWith('-') ? 'desc' : 'asc'} nulls last, t.id`
}

/** The five calls of any entity. */
export const crud = (db: Db, it: Entity) => ({
  async list({ caller, query: { page, size, search, sort } }: Call<object, ListQuery>) {
    const where = `${inScope(it.scope)}${search ? ` and ${searched(it.list.search)} ilike $2` : ''}`
    const values = search ? [caller.scope, `%${literal(search)}%`] : [caller.scope]
    const order = orderBy(it, sort)
    const [data, [count]] = await Promise.all([
      db.query<Row>(`select ${selection(it)} from ${source(it)} where ${where} order by ${order} limit ${size} offset ${(page - 1) * size}`, values),
      db.query<{ total: number }>(`select count(*) as total from ${quoted(it.table)} t where ${where}`, values),
    ])
    return { data, total_length: count!.total }
  },

  async read(call: ById) {
    return find(db, it, call.caller.scope, idOf(it, call))
  },

  async create({ caller, body: { id: _, version: __, ...body }, address }: ById) {
    checkFields(it, caller, body)
    return db.transaction(async (tx) => {
      await checkReferences(tx, it, caller.scope, body)
      const fields = Object.keys(body)
      const [made] = await tx.query<{ id: number }>(
        `insert into ${quoted(it.table)} (${fields.map(quoted).join(', ')}) values (${fields.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
        Object.values(body),
      )
      const row = await find(tx, it, caller.scope, made!.id)
      await audit(tx, { username: caller.username, address, action: 'create', entity: it.name, entityid: row.id, after: row })
      return row
    })
  },

  async update(call: ById) {
    const { caller, body: sent, address } = call
    const id = idOf(it, call)
    const version = versionOf(call)
    if (version === null) throw new Refusal(400, 'Send the version of the record that was read, as the field version or the header If-Match')
    if (sent.id !== undefined && sent.id !== id) throw new Refusal(400, 'id differs from the id in the address')
    return db.transaction(async (tx) => {
      await tx.query(`select 1 from ${quoted(it.table)} where id = $1 for update`, [id])
      const row = await find(tx, it, caller.scope, id)
      if (row.version !== version) throw stale(it)
      checkFields(it, caller, sent, row)
      const changed = Object.keys(sent).filter((field) => !['id', 'version'].includes(field) && !same(sent[field], row[field]))
      if (changed.length === 0) return row
      await checkReferences(tx, it, caller.scope, sent, row)
      await tx.query(
        `update ${quoted(it.table)} set version = version + 1, ${changed.map((field, index) => `${quoted(field)} = $${index + 2}`).join(', ')} where id = $1`,
        [id, ...changed.map((field) => sent[field])],
      )
      const after = await find(tx, it, caller.scope, id)
      const pick = (from: Row) => Object.fromEntries(changed.map((field) => [field, from[field]]))
      await audit(tx, { username: caller.username, address, action: 'update', entity: it.name, entityid: id, before: pick(row), after: pick(after) })
      return after
    })
  },

  async remove(call: ById) {
    const { caller, address } = call
    const id = idOf(it, call)
    const version = versionOf(call)
    await db.transaction(async (tx) => {
      await tx.query(`select 1 from ${quoted(it.table)} where id = $1 for update`, [id])
      const row = await find(tx, it, caller.scope, id)
      if (version !== null && row.version !== version) throw stale(it)
      const used = await countReferences(tx, it.table, id)
      if (used) throw new Refusal(409, `This ${it.noun} cannot be deleted: it is still referenced by ${used}`)
      await tx.query(`delete from ${quoted(it.table)} where id = $1`, [id])
      await audit(tx, { username: caller.username, address, action: 'delete', entity: it.name, entityid: id, before: row })
    })
  },
})

const stale = (it: Entity) => new Refusal(409, `This ${it.noun} was changed by somebody else meanwhile`, { code: 'stale' })

/** GET /{name}/ids: the few records that match, for a picker; `id` asks for one by its id. */
export const ids = (db: Db, name: LiteName) => async ({ caller, query }: Call<object, { search: string; size: number; id?: number }>) => {
  const { table, scope, fields } = lites[name]
  const data = await db.query(
    `select t.id, ${fields.map((field) => `t.${quoted(field)}`).join(', ')} from ${quoted(table)} t
      where ${inScope(scope)} and ($2 = '' or ${searched(fields)} ilike $2) and ($3::int is null or t.id = $3)
      order by t.${quoted(fields[0])}, t.id limit $4`,
    [caller.scope, query.search ? `%${literal(query.search)}%` : '', query.id ?? null, query.size],
  )
  return { data }
}
