import pg from 'pg'
import { expect, vi } from 'vitest'

/** A statement as it is sent; `name` when it is prepared. */
export type Statement = { text: string; name?: string; values?: unknown[] }

/** The statements that a successful call sends, without those that begin and end transactions. */
export async function statementsOf(call: () => Promise<{ status: number }>): Promise<Statement[]> {
  const sent: Statement[] = []
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [query] = args as [string | Statement]
    const statement = typeof query === 'string' ? { text: query } : query
    if (!/^(begin|commit|select set_config)/.test(statement.text)) sent.push(statement)
    return original.apply(this, args)
  } as never)
  try {
    expect((await call()).status).toBe(200)
  } finally {
    spy.mockRestore()
  }
  return sent
}
