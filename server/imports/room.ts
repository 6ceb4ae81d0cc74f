import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Refusal } from '../errors.ts'

/**
 * Refuses (507) a file that the disk has no room to import: its rows are written to a staging table, to the table
 * and to the log of the database, and a database whose disk is full serves nobody.
 */
export async function checkRoom(path: string, room: number): Promise<void> {
  const { size } = await stat(path)
  const { bavail, bsize } = await statfs(dirname(path))
  const needed = Math.ceil((3 * size) / 1e6) + room
  const free = Math.floor((bavail * bsize) / 1e6)
  if (free >= needed) return
  const said = (megabytes: number) => `${megabytes.toLocaleString('en-US')} MB`
  const why = `importing it needs ${said(needed)} of free disk and ${said(free)} are left`
  throw new Refusal(507, `The server has no room for the file: ${why}. Nothing was stored.`)
}
