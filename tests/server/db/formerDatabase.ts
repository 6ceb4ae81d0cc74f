import { randomBytes } from 'node:crypto'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { projectFolder } from '../../../server/config/projectFolder.ts'
import { openDb, type Db } from '../../../server/db/db.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { folder, removeFolders } from '../../fixtures/folders.ts'
import { at } from '../../setup/postgres.ts'

export type FormerDatabase = {
  db: Db
  /** Applies the migrations that were left out. */
  update(): Promise<void>
  close(): Promise<void>
}

/** A database with the migrations before this number ('014') alone. */
export async function formerDatabase(number: string): Promise<FormerDatabase> {
  const { url: root, template } = inject('postgres')
  const server = openDb(root)
  const name = `${template}_${randomBytes(4).toString('hex')}`
  await server.query(`create database ${name}`)
  const url = at(root, name)
  const db = openDb(url)
  const migrations = join(projectFolder, 'server/db/migrations')
  const former = folder()
  for (const file of readdirSync(migrations).filter((it) => it < number))
    copyFileSync(join(migrations, file), join(former, file))
  await migrate(url, former)
  return {
    db,
    update: async () => void (await migrate(url)),
    async close() {
      await db.close()
      await server.query(`drop database ${name}`)
      await server.close()
      removeFolders()
    },
  }
}
