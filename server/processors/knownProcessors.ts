import { audit } from '../db/audit.ts'
import type { Sql, Tx } from '../db/db.ts'
import { HttpError } from '../http/errors.ts'
import { nameTypedStatements } from './typedStatements.ts'

/** A processor by the name under which its months are stored, and every name by which files call it. */
export type KnownProcessor = { id: number; name: string; names: string[] }

/** Runs of spaces, hyphens and underscores are one space. */
export const normalizeSpaces = (text: string) => text.replace(/[\s_-]+/g, ' ').trim()
/** Whether two names are the same but for case, spaces, hyphens and underscores (processors 2). */
export const isSameName = (one: string, other: string) =>
  normalizeSpaces(one).toLowerCase() === normalizeSpaces(other).toLowerCase()

/** The names in a text with one name a line. */
export const namesInLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export async function readKnownProcessors(sql: Sql): Promise<KnownProcessor[]> {
  const rows = await sql.query<{ id: number; name: string; othernames: string }>(
    'select id, name, othernames from processor order by id',
  )
  return rows.map(({ id, name, othernames }) => ({ id, name, names: [name, ...namesInLines(othernames)] }))
}

/** The processor that has this name among its names, as text compares them (processors 2). */
export const findKnown = (known: readonly KnownProcessor[], text: string): KnownProcessor | undefined =>
  known.find(({ names }) => names.some((name) => isSameName(name, text)))

/** Until the transaction ends nobody else adds a processor or changes its names; they wait. */
export const lockProcessorNames = (tx: Tx) => tx.query(`select pg_advisory_xact_lock(hashtext('processors'))`)

/**
 * Locks the row of a processor until the transaction ends: who deletes or changes it waits, and then finds
 * what the transaction stored under its name. Throws an HttpError (409) when nobody has this name any more.
 */
export async function lockProcessor(tx: Tx, name: string): Promise<void> {
  const [found] = await tx.query('select from processor where name = $1 for share', [name])
  if (!found)
    throw new HttpError(
      409,
      `The processor ${name} was deleted or named otherwise meanwhile. Please send the file again`,
    )
}

/**
 * Adds the processor of a file whose sender said that it is new, with the audit of it (processors 1). Throws
 * an HttpError (409) when the name was given to a processor meanwhile.
 */
export async function addProcessor(
  tx: Tx,
  name: string,
  by: { username: string; address: string },
): Promise<void> {
  await lockProcessorNames(tx)
  const taken = findKnown(await readKnownProcessors(tx), name)
  if (taken)
    throw new HttpError(
      409,
      `${name} became a name of the processor ${taken.name} meanwhile. Please send the file again`,
    )
  const [added] = await tx.query<{ id: number }>('insert into processor (name) values ($1) returning id', [
    name,
  ])
  await audit(tx, {
    ...by,
    action: 'create',
    entity: 'processor',
    entityid: added!.id,
    after: { name },
  })
  await nameTypedStatements(tx, by)
}
