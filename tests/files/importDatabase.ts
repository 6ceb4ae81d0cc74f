import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, inject } from 'vitest'
import type { ImportAsks } from '../../schemas/imports/answers.ts'
import type { Batch, ImportReply, RowFault } from '../../schemas/imports/imports.ts'
import { openDb, type Db } from '../../server/db/db.ts'
import type { Caller } from '../../server/http/call.ts'
import { HttpError } from '../../server/http/errors.ts'
import { importFile, type Upload } from '../../server/imports/importFile.ts'
import { undoImport } from '../../server/imports/undo.ts'

export type Refused = {
  status: number
  refused: string
  rows: RowFault[]
  more: number
  asks?: ImportAsks
}
export type ImportDatabase = {
  db: Db
  /** Imports content under a name, as somebody who sees everything unless another is given. */
  imports(
    kind: Upload['kind'],
    filename: string,
    content: string | Buffer,
    more?: Partial<Upload>,
  ): Promise<ImportReply>
  /** The same, for a file that is expected to be refused. */
  refuses(
    kind: Upload['kind'],
    filename: string,
    content: string | Buffer,
    more?: Partial<Upload>,
  ): Promise<Refused>
  /** Takes a batch back, as somebody who sees everything. */
  undoes(kind: Upload['kind'], id: number): Promise<Batch>
  close(): Promise<void>
}

/**
 * A database of its own with nothing in it but five master agents: 1 over 2 and 3, and two that share a name.
 */
export async function openImportDatabase(): Promise<ImportDatabase> {
  const { url: server, template } = inject('postgres')
  const name = `i_${randomBytes(6).toString('hex')}`
  const admin = async (sql: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await admin(`create database ${name} template ${template}`)
  const db = openDb(Object.assign(new URL(server), { pathname: `/${name}` }).toString())
  await db.query(
    `insert into master_agent (id, name, parentid)
      values (1, 'House', null), (2, 'North Office', 1), (3, 'South Office', 1), (4, 'Twin', 1), (5, 'twin', 1)`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'import-'))
  const imports: ImportDatabase['imports'] = async (kind, filename, content, more = {}) => {
    const path = join(folder, randomBytes(6).toString('hex'))
    await writeFile(path, content)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const signal = new AbortController().signal
    const what = {
      kind,
      path,
      filename,
      size: Buffer.byteLength(content),
      sha256,
      date: kind === 'dailyvolume' ? '2025-01-05' : null,
    }
    return importFile({
      ...what,
      db,
      sender: { username: 'ann', scope: null },
      dryrun: false,
      now: new Date('2026-11-22T12:00:00Z'),
      config: { timeZone: 'UTC' },
      signal,
      ...more,
    })
  }
  return {
    db,
    imports,
    async refuses(...given) {
      try {
        await imports(...given)
      } catch (error) {
        if (error instanceof HttpError)
          return { status: error.status, refused: error.message, rows: [], more: 0, ...error.extra }
        throw error
      }
      throw new Error('the file was not refused')
    },
    undoes: (kind, id) =>
      undoImport({
        db,
        kind,
        id,
        caller: { username: 'bob', scope: null, userid: 1 } as Caller,
        address: '',
        config: { timeZone: 'UTC' },
      }),
    async close() {
      await db.close()
      await rm(folder, { recursive: true })
      await admin(`drop database ${name} with (force)`)
    },
  }
}

/** The database of a whole test file; `begin` sets up each test. */
export function sharedImportDatabase(begin?: (db: Db) => Promise<unknown>): Omit<ImportDatabase, 'close'> {
  let open: ImportDatabase
  beforeAll(async () => {
    open = await openImportDatabase()
  }, 60_000)
  afterAll(() => open.close())
  if (begin) beforeEach(() => begin(open.db))
  return {
    get db() {
      return open.db
    },
    imports: (...given) => open.imports(...given),
    refuses: (...given) => open.refuses(...given),
    undoes: (...given) => open.undoes(...given),
  }
}

/** Takes away all that was imported; numbers begin at 1 again. */
export const empty = (db: Db) =>
  db.query('truncate merchant, processor, daily_volume, import_batch restart identity cascade')
/** Merchant 1 is master agent 2's with Aurora, merchant 2 master agent 3's with Borealis. */
export const addTwoMerchants = async (db: Db) => {
  await db.query(`insert into processor (name) values ('Aurora'), ('Borealis') on conflict do nothing`)
  await db.query(
    `insert into merchant (xmid, dba, masteragentid, processor) values ('1', 'One', 2, 'Aurora'), ('2', 'Two', 3, 'Borealis')`,
  )
}
