import { escapeIdentifier } from 'pg'
import { nounOfOne, readOnlyFields, type Entity, type Row } from '../../schemas/entities/entity.ts'
import { audit } from '../db/audit.ts'
import type { Db, Sql } from '../db/db.ts'
import type { Call, Caller } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { parseId } from '../http/ids.ts'
import { baseVersion } from '../http/version.ts'
import { transactionWithEmails, type BackgroundMailer } from '../mail/emails.ts'
import { changesOf, checkFields, checkReferences, checkValues, newValuesOf, type Changes } from './checks.ts'
import { entityHooks } from './entityHooks.ts'
import type { EntityWrite } from './hooks/hook.ts'
import { describeReferences, type EntityRecords } from './records.ts'

/** A call about one record. `Body` holds the fields that are written. */
export type RecordCall<Body = unknown> = Call<{ id: string }, object, Body>

export const staleError = (entity: Entity) =>
  new HttpError(409, `This ${nounOfOne(entity)} was changed by somebody else meanwhile`, { code: 'stale' })

export const missingVersionError = () =>
  new HttpError(
    400,
    'Send the version of the record that was read, as the field version or the header If-Match',
  )

/**
 * The record, with its secrets in full if the caller may see them; each such read is audited (permissions
 * 10).
 */
export async function revealRecord(db: Db, records: EntityRecords, call: RecordCall): Promise<Row> {
  const { caller, address } = call
  const { entity } = records
  const id = parseId(call.params.id, nounOfOne(entity))
  const row = await records.find(db, caller, id)
  if (!records.canReveal(caller, row) || records.secretFields.every((field) => row[field] === '')) return row
  await audit(db, {
    username: caller.username,
    address,
    action: 'reveal',
    entity: entity.name,
    entityid: id,
  })
  return records.find(db, caller, id, { secretsAs: 'full' })
}

/**
 * Throws an HttpError: 403 for fields that are not the caller's, 422 for values and references, or the
 * hooks'.
 */
export async function createRecord(
  db: Db,
  records: EntityRecords,
  call: Call<object, object, Changes>,
  mailer: BackgroundMailer,
): Promise<Row> {
  const { caller, body: sent, address } = call
  const { entity, secret } = records
  const hooks = entityHooks[entity.name]
  const body = newValuesOf(entity, caller, changesOf(entity, sent))
  checkFields(entity, caller, body)
  checkValues(entity, body)
  return transactionWithEmails(db, mailer, call.request.log, async (tx, emails) => {
    await checkReferences(tx, entity, caller.scope, body)
    const write: EntityWrite = { tx, caller, address, body, secret, emails }
    await hooks?.beforeWrite?.(write)
    const [next] = await tx.prepared<{ id: number }>(
      `select nextval(pg_get_serial_sequence($1, 'id')) as id`,
      [entity.table],
    )
    const id = next!.id
    const columns = [{ field: 'id', value: id as unknown }, ...storedColumns(records, write.body, id)]
    const names = columns.map(({ field }) => escapeIdentifier(field)).join(', ')
    const expressions = columns.map(({ field }, index) => writeExpression(entity, field, `$${index + 1}`))
    await tx.prepared(
      `insert into ${escapeIdentifier(entity.table)} (${names}) values (${expressions.join(', ')})`,
      columns.map(({ value }) => value),
    )
    await hooks?.afterWrite?.({ ...write, id })
    // The scope was read before a new agent existed; `beforeWrite` made sure that its parent is in the scope.
    const scope = entity.scope === 'id' && caller.scope ? [...caller.scope, id] : caller.scope
    const row = await findWritten(tx, records, { ...caller, scope }, id)
    await audit(tx, {
      username: caller.username,
      address,
      action: 'create',
      entity: entity.name,
      entityid: id,
      after: { ...row, ...writeOnlyOf(entity, write.body) },
    })
    return row
  })
}

/** A write in a transaction that its caller has begun; `emails` are sent once that is committed. */
export type Writing = Pick<EntityWrite, 'tx' | 'caller' | 'address' | 'emails'> & {
  /** The records are locked by the caller. */
  isLocked?: true
}
/**
 * A record before and after a change, and what was written; `body` is empty where nothing differs.
 * `heldBefore` as in `EntityWrite`.
 */
type UpdatedRecord = { row: Row; after: Row; body: Changes; heldBefore: Changes }
type Update = { id: number; version: number; sent: Changes } & Pick<EntityWrite, 'heldAgain'>

/**
 * Changes the fields that differ. Throws an HttpError: 400 without a version or with another id, 404, 409
 * when the version is no longer the record's (api 6), and those of `createRecord`.
 */
export async function updateRecord(
  db: Db,
  records: EntityRecords,
  call: RecordCall<Changes>,
  mailer: BackgroundMailer,
): Promise<Row> {
  const { caller, body: sent, address } = call
  const id = parseId(call.params.id, nounOfOne(records.entity))
  const version = baseVersion(call.request.headers['if-match'], sent.version)
  if (version === null) throw missingVersionError()
  if (sent.id !== undefined && sent.id !== id)
    throw new HttpError(400, 'id differs from the id in the address')
  return transactionWithEmails(db, mailer, call.request.log, async (tx, emails) => {
    const { after } = await updateRecordIn({ tx, caller, address, emails }, records, { id, version, sent })
    return after
  })
}

/** `updateRecord` as a part of the caller's transaction, which may change many records (bulk 2). */
export async function updateRecordIn(
  { tx, caller, address, emails, isLocked }: Writing,
  records: EntityRecords,
  { id, version, sent, heldAgain }: Update,
): Promise<UpdatedRecord> {
  const { entity, secret } = records
  const row = isLocked ? await records.find(tx, caller, id) : await records.findLocked(tx, caller, id)
  if (row.version !== version) throw staleError(entity)
  const full = records.canReveal(caller, row)
    ? await records.find(tx, caller, id, { secretsAs: 'full' })
    : row
  // A secret that is sent back as it was shown, masked or in full, is no change.
  const changes = Object.entries(changesOf(entity, sent, full)).filter(
    ([field, value]) => !(records.secretFields.includes(field) && value === row[field]),
  )
  const body = { ...restated(entity, caller, sent, row), ...Object.fromEntries(changes) }
  checkFields(entity, caller, body, row)
  checkValues(entity, body, row)
  if (Object.keys(body).length === 0) return { row, after: row, body, heldBefore: {} }
  await checkReferences(tx, entity, caller.scope, body)
  const write = { tx, caller, address, body, row, full, secret, emails, heldAgain, heldBefore: {} }
  await storeUpdate(records, write, id)
  const after = await findWritten(tx, records, caller, id)
  const pick = (from: Row) => Object.fromEntries(Object.keys(write.body).map((field) => [field, from[field]]))
  await audit(tx, {
    username: caller.username,
    address,
    action: 'update',
    entity: entity.name,
    entityid: id,
    before: pick(row),
    after: { ...pick(after), ...writeOnlyOf(entity, write.body) },
  })
  return { row, after, body: write.body, heldBefore: write.heldBefore }
}

/** The fields that are written although they hold the stored value, of those that the caller may change. */
function restated(entity: Entity, caller: Caller, sent: Changes, row: Row): Changes {
  const closed = readOnlyFields(entity, caller, row)
  const fields = entityHooks[entity.name]?.restates?.(sent).filter((field) => !closed.includes(field)) ?? []
  return Object.fromEntries(fields.map((field) => [field, sent[field]]))
}

/** The values that the audit keeps of fields which no answer holds. */
const writeOnlyOf = ({ schema }: Entity, body: Changes): Changes =>
  Object.fromEntries(Object.entries(body).filter(([field]) => schema.properties[field]?.writeOnly))

async function storeUpdate(records: EntityRecords, write: EntityWrite, id: number) {
  const { entity } = records
  const hooks = entityHooks[entity.name]
  await hooks?.beforeWrite?.(write)
  const columns = storedColumns(records, write.body, id)
  const assignments = columns.map(
    ({ field }, index) => `${escapeIdentifier(field)} = ${writeExpression(entity, field, `$${index + 2}`)}`,
  )
  await write.tx.prepared(
    `update ${escapeIdentifier(entity.table)} set ${['version = version + 1', ...assignments].join(', ')}
      where id = $1`,
    [id, ...columns.map(({ value }) => value)],
  )
  await hooks?.afterWrite?.({ ...write, id })
}

/** Throws an HttpError: 404, 409 for another version or while other records refer to it, or the hooks'. */
export async function deleteRecord(
  db: Db,
  records: EntityRecords,
  call: RecordCall<{ version?: number } | null>,
): Promise<void> {
  const { caller, address } = call
  const id = parseId(call.params.id, nounOfOne(records.entity))
  const version = baseVersion(call.request.headers['if-match'], call.body?.version)
  await db.transaction((tx) => deleteRecordIn({ tx, caller, address }, records, { id, version }))
}

/**
 * `deleteRecord` as a part of the caller's transaction, which may delete many records (bulk 2). Answers the
 * record as it was.
 */
export async function deleteRecordIn(
  { tx, caller, address, isLocked }: Omit<Writing, 'emails'>,
  records: EntityRecords,
  { id, version }: { id: number; version: number | null },
): Promise<Row> {
  const { entity } = records
  if (!isLocked) await records.lock(tx, id)
  const row = await records.find(tx, caller, id)
  if (version !== null && row.version !== version) throw staleError(entity)
  const deletion = { tx, caller, address, row }
  const kept = await entityHooks[entity.name]?.beforeDelete?.(deletion)
  const references = await describeReferences(tx, entity.table, id)
  if (references)
    throw new HttpError(
      409,
      `This ${nounOfOne(entity)} cannot be deleted: it is still referenced by ${references}`,
    )
  await tx.query(`delete from ${escapeIdentifier(entity.table)} where id = $1`, [id])
  await entityHooks[entity.name]?.afterDelete?.(deletion)
  await audit(tx, {
    username: caller.username,
    address,
    action: 'delete',
    entity: entity.name,
    entityid: id,
    before: { ...row, ...kept },
  })
  return row
}

/** What goes into the table's own columns; virtual fields are the hooks' to store. */
const storedColumns = (records: EntityRecords, changes: Changes, id: number) =>
  Object.entries(changes)
    .filter(([field]) => !records.entity.schema.properties[field]?.virtual)
    .map(([field, value]) => ({ field, value: records.storedValue(field, value, id) }))

const writeExpression = (entity: Entity, field: string, placeholder: string) =>
  entityHooks[entity.name]?.write?.[field]?.(placeholder) ?? placeholder

/**
 * The record as it was just written. Throws an HttpError (422) when the write took it out of the caller's
 * scope.
 */
async function findWritten(sql: Sql, records: EntityRecords, caller: Caller, id: number) {
  const { entity } = records
  const row = await records.findOrNull(sql, caller, id)
  if (row) return row
  const title = entity.schema.properties[entity.scope ?? '']?.title ?? 'The record'
  const message = `${title} must be one of your own branch`
  throw new HttpError(422, message, { fields: { [entity.scope ?? 'id']: message } })
}
