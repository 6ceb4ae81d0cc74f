import { createHash } from 'node:crypto'
import type pg from 'pg'

/** The most statements that one connection keeps prepared; it is replaced before it has more. */
export const maxPrepared = 200
/** The most texts whose names are remembered; a forgotten name is computed again. */
const maxNames = 2_000

const names = new Map<string, string>()

/** The name of a statement: a hash of its text, so that one name never stands for two texts. */
export function statementName(text: string): string {
  const known = names.get(text)
  if (known) return known
  if (names.size >= maxNames) names.clear()
  const name = `p${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
  names.set(text, name)
  return name
}

const preparedOn = new WeakMap<pg.ClientBase, Set<string>>()

/** Records that a connection has prepared a statement. */
export function notePrepared(client: pg.ClientBase, name: string): void {
  const prepared = preparedOn.get(client)
  if (prepared) prepared.add(name)
  else preparedOn.set(client, new Set([name]))
}

/** The connection has so many prepared statements that it is replaced when it is given back. */
export const isFull = (client: pg.ClientBase): boolean => (preparedOn.get(client)?.size ?? 0) >= maxPrepared

/** 26000 in SQL: the connection does not have this prepared statement. */
export const stalePlanCode = '26000'

/**
 * The connection's prepared statement is of no use any more: a migration changed the type of one of its
 * columns, or something between the portal and the database discarded it. Prepared again, it works.
 */
export const isStalePlan = ({ code, message }: { code?: string; message: string }): boolean =>
  code === stalePlanCode || (code === '0A000' && message.includes('cached plan must not change result type'))
