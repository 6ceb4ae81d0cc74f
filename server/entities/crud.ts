import { isDeepStrictEqual } from 'node:util'
import type { ListQuery } from '../../schemas/api/paging.ts'
import { frozen, references, sortable, type Entity, type Row } from '../../schemas/entities/entity.ts'
import { lites, type LiteName } from '../../schemas/entities/lookups.ts'
import { audit } from '../db/audit.ts'
import type { Db, Sql } from '../db/db.ts'
import { encrypt } from '../db/encryption.ts'
import type { Call, Caller } from '../http/call.ts'
import { notFound, HttpError } from '../http/errors.ts'
import { baseVersion } from '../http/version.ts'
import { entityHooks } from './entityHooks.ts'
import type { EntityWrite } from './hooks/hook.ts'
import { describeReferences, entityRecords } from './records.ts'
import { rowCounts } from './rowCounts.ts'
import {
  scopeCondition,
  escapeLike,
  quoteIdentifier,
  fieldExpression,
  entityScopeCondition,
  searchExpression,
  selectList,
  fromClause,
} from './sql.ts'

type ById = Call<{ id: string }, object, Row>
type Body = Record<string, unknown>

const same = (a: unknown, b: unknown) => isDeepStrictEqual(a ?? null, b ?? null)
const idOf = (it: Entity, { params }: ById): number => {
  const id = Number(params.id)
  if (!/^\d{1,10}$/.test(params.id) || id < 1 || id > 2_147_483_647) throw notFound(it.noun)
  return id
}

/** The fields of a body that differ from the record; id and version are no fields to change. */
const changesOf = (body: Body, row?: Row) =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([field, value]) => !['id', 'version'].includes(field) && !(row && same(value, row[field])),
    ),
  )

/** Refuses with 403 what the sender may not change; a value sent back as it was is no change. */
function checkFields(it: Entity, caller: Caller, changes: Body, row?: Row) {
  const refused = frozen(it, caller, row).filter((field) => field in changes)
  if (refused.length === 0) return
  const titles = refused.map((field) => it.schema.properties[field]?.title ?? field)
  const message = (title: string) => `You may not change ${title}`
  throw new HttpError(403, message(titles.join(', ')), {
    fields: Object.fromEntries(refused.map((field, index) => [field, message(titles[index]!)])),
  })
}

/**
 * Refuses with 422 what the entity's own check finds wrong in the record as it would be. What was wrong before and is
 * left alone is nothing its sender could mend; a masked secret is no value to judge.
 */
function checkValues(it: Entity, changes: Body, row?: Row) {
  const before = Object.fromEntries(
    Object.entries(row ?? {}).filter(([field]) => !it.schema.properties[field]?.secret),
  )
  const known = row ? (it.check?.(before, false) ?? {}) : {}
  const found = Object.entries(it.check?.({ ...before, ...changes }, !row) ?? {})
  const fields = Object.fromEntries(found.filter(([field]) => field in changes || !(field in known)))
  if (Object.keys(fields).length > 0) throw new HttpError(422, Object.values(fields).join('. '), { fields })
}

/** Refuses with 422 a reference to what the caller cannot see: it answers like one that does not exist. */
async function checkReferences(sql: Sql, it: Entity, scope: number[] | null, changes: Body) {
  for (const [field, to] of references(it)) {
    const id = changes[field]
    const property = it.schema.properties[field]!
    if (typeof id !== 'number' || (id === 0 && property.none)) continue
    const lite = lites[to as LiteName]
    const [known] = await sql.query(
      `select 1 from ${quoteIdentifier(lite.table)} t where ${scopeCondition(lite.scope)} and t.id = $2`,
      [scope, id],
    )
    const message = `${property.title} ${id} does not exist`
    if (!known) throw new HttpError(422, message, { fields: { [field]: message } })
  }
}

const orderBy = (it: Entity, sort: string) => {
  const field = sort.replace(/^-/, '')
  if (field === '') return 't.id'
  if (!sortable(it).includes(field))
    throw new HttpError(400, `sort must be one of ${sortable(it).join(', ')}, or one with a leading -`)
  const reference = references(it).findIndex(([name]) => name === field)
  const { show } = it.schema.properties[field]!
  const shown =
    typeof show === 'string'
      ? show
      : reference < 0
        ? ''
        : lites[references(it)[reference]![1] as LiteName].fields[0]
  const key = reference < 0 ? fieldExpression(it, field) : `r${reference}.${quoteIdentifier(shown)}`
  return `${key} ${sort.startsWith('-') ? 'desc' : 'asc'} nulls last, t.id`
}

/** The five calls of any entity. */
export const entityHandlers = (db: Db, it: Entity, secret: Buffer) => {
  const known = entityRecords(it, secret)
  const shape = entityHooks[it.name] ?? {}

  /** What goes into the table's own columns, in the order of the names; secret fields are sealed. */
  const columnsOf = (changes: Body, id: number): [string, unknown][] =>
    Object.entries(changes)
      .filter(([field]) => !it.schema.properties[field]?.virtual)
      .map(([field, value]) => [
        field,
        known.secrets.includes(field) ? encrypt(secret, String(value), known.contextOf(field, id)) : value,
      ])
  const placed = (field: string, placeholder: string) => shape.write?.[field]?.(placeholder) ?? placeholder

  /** The record with its secrets whole, to whom the rule lets; each such reading is audited. */
  const reveal = async (sql: Sql, caller: Caller, address: string, id: number): Promise<Row> => {
    const row = await known.find(sql, caller, id)
    if (!known.mayReveal(caller, row) || known.secrets.every((field) => row[field] === '')) return row
    await audit(sql, { username: caller.username, address, action: 'reveal', entity: it.name, entityid: id })
    return known.find(sql, caller, id, true)
  }

  /** The record as it was just written. A write that takes it out of the caller's own sight is refused. */
  const written = async (sql: Sql, caller: Caller, id: number, isNew: boolean): Promise<Row> => {
    // The branch of the caller was known before the agent was there; its parent was checked.
    const scope = isNew && it.scope === 'id' && caller.scope ? [...caller.scope, id] : caller.scope
    const row = await known.look(sql, { ...caller, scope }, id)
    if (row) return row
    const message = `${it.schema.properties[it.scope ?? '']?.title ?? 'The record'} must be one of your own branch`
    throw new HttpError(422, message, { fields: { [it.scope ?? 'id']: message } })
  }

  return {
    async list({ caller, query: { page, size, search, sort } }: Call<object, ListQuery>) {
      if (search && it.list.search.length === 0)
        throw new HttpError(400, `The list of ${it.title} cannot be searched`)
      const where = `${entityScopeCondition(it)}${search ? ` and ${searchExpression(it.list.search)} ilike $2` : ''}`
      const values = search ? [caller.scope, `%${escapeLike(search)}%`] : [caller.scope]
      const offset = (page - 1) * size
      const tally = search || sort ? undefined : rowCounts[it.name]
      const count = async () =>
        (
          await db.query<{ n: number }>(
            `select count(*) as n from ${quoteIdentifier(it.table)} t where ${where}`,
            values,
          )
        )[0]!.n
      const rows = async () => {
        const { from, rest } = tally ? await tally.seek(db, caller.scope, offset) : { from: 0, rest: offset }
        const start = from > 0 ? ` and t.id >= ${from}` : ''
        return db.query<Row>(
          `select ${selectList(it)} from ${fromClause(it)} where ${where}${start} order by ${orderBy(it, sort)} limit ${size} offset ${rest}`,
          values,
        )
      }
      const [data, total_length] = await Promise.all([
        rows(),
        tally ? tally.total(db, caller.scope) : count(),
      ])
      return { data: data.map((row) => known.shown(row, false)), total_length }
    },

    read: (call: ById) => reveal(db, call.caller, call.address, idOf(it, call)),

    async create({ caller, body: sent, address }: ById) {
      const body = changesOf(sent)
      checkFields(it, caller, body)
      checkValues(it, body)
      return db.transaction(async (tx) => {
        await checkReferences(tx, it, caller.scope, body)
        const write: EntityWrite = { tx, caller, body }
        await shape.check?.(write)
        const [next] = await tx.query<{ id: number }>(
          `select nextval(pg_get_serial_sequence($1, 'id')) as id`,
          [it.table],
        )
        const id = next!.id
        const columns: [string, unknown][] = [['id', id], ...columnsOf(write.body, id)]
        await tx.query(
          `insert into ${quoteIdentifier(it.table)} (${columns.map(([field]) => quoteIdentifier(field)).join(', ')})
            values (${columns.map(([field], index) => placed(field, `$${index + 1}`)).join(', ')})`,
          columns.map(([, value]) => value),
        )
        await shape.store?.({ ...write, id })
        const row = await written(tx, caller, id, true)
        await audit(tx, {
          username: caller.username,
          address,
          action: 'create',
          entity: it.name,
          entityid: id,
          after: row,
        })
        return row
      })
    },

    async update(call: ById) {
      const { caller, body: sent, address } = call
      const id = idOf(it, call)
      const version = baseVersion(call.request.headers['if-match'], call.body?.version)
      if (version === null)
        throw new HttpError(
          400,
          'Send the version of the record that was read, as the field version or the header If-Match',
        )
      if (sent.id !== undefined && sent.id !== id)
        throw new HttpError(400, 'id differs from the id in the address')
      return db.transaction(async (tx) => {
        await known.lock(tx, id)
        const row = await known.find(tx, caller, id)
        if (row.version !== version) throw stale(it)
        const whole = known.mayReveal(caller, row) ? await known.find(tx, caller, id, true) : row
        // Masked or whole, a secret that is sent back as it was shown is no change.
        const body = Object.fromEntries(
          Object.entries(changesOf(sent, whole)).filter(
            ([field, value]) => !(known.secrets.includes(field) && value === row[field]),
          ),
        )
        checkFields(it, caller, body, row)
        checkValues(it, body, row)
        if (Object.keys(body).length === 0) return row
        await checkReferences(tx, it, caller.scope, body)
        const write: EntityWrite = { tx, caller, body, row }
        await shape.check?.(write)
        const columns = columnsOf(write.body, id)
        await tx.query(
          `update ${quoteIdentifier(it.table)} set ${['version = version + 1', ...columns.map(([field], index) => `${quoteIdentifier(field)} = ${placed(field, `$${index + 2}`)}`)].join(', ')} where id = $1`,
          [id, ...columns.map(([, value]) => value)],
        )
        await shape.store?.({ ...write, id })
        const after = await written(tx, caller, id, false)
        const pick = (from: Row) =>
          Object.fromEntries(Object.keys(write.body).map((field) => [field, from[field]]))
        await audit(tx, {
          username: caller.username,
          address,
          action: 'update',
          entity: it.name,
          entityid: id,
          before: pick(row),
          after: pick(after),
        })
        return after
      })
    },

    async remove(call: ById) {
      const { caller, address } = call
      const id = idOf(it, call)
      const version = baseVersion(call.request.headers['if-match'], call.body?.version)
      await db.transaction(async (tx) => {
        await known.lock(tx, id)
        const row = await known.find(tx, caller, id)
        if (version !== null && row.version !== version) throw stale(it)
        await shape.remove?.({ tx, caller, row })
        const used = await describeReferences(tx, it.table, id)
        if (used)
          throw new HttpError(409, `This ${it.noun} cannot be deleted: it is still referenced by ${used}`)
        await tx.query(`delete from ${quoteIdentifier(it.table)} where id = $1`, [id])
        await audit(tx, {
          username: caller.username,
          address,
          action: 'delete',
          entity: it.name,
          entityid: id,
          before: row,
        })
      })
    },
  }
}

const stale = (it: Entity) =>
  new HttpError(409, `This ${it.noun} was changed by somebody else meanwhile`, { code: 'stale' })

/** GET /{name}/ids: the few records that match, for a picker; `id` asks for one by its id. */
export const lookupHandler =
  (db: Db, name: LiteName) =>
  async ({ caller, query }: Call<object, { search: string; size: number; id?: number }>) => {
    const { table, scope, fields } = lites[name]
    const data = await db.query(
      `select t.id, ${fields.map((field) => `t.${quoteIdentifier(field)}`).join(', ')} from ${quoteIdentifier(table)} t
      where ${scopeCondition(scope)} and ($2 = '' or ${searchExpression(fields)} ilike $2) and ($3::int is null or t.id = $3)
      order by t.${quoteIdentifier(fields[0])}, t.id limit $4`,
      [caller.scope, query.search ? `%${escapeLike(query.search)}%` : '', query.id ?? null, query.size],
    )
    return { data }
  }
