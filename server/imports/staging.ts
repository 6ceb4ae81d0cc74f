import { pipeline } from 'node:stream/promises'
import { from } from 'pg-copy-streams'
import type { Tx } from '../db.ts'
import type { Import } from '../../schemas/imports.ts'
import { readInChild } from './child.ts'
import { staged } from './cells.ts'
import type { Job } from './read.ts'
import type { Report } from './table.ts'

/** Fills the temporary table `staging` (row, the kind's columns, extra) with the rows of a file; gone at the end of the transaction. */
export async function stage(tx: Tx, it: Import, job: Job, signal: AbortSignal): Promise<Report> {
  await tx.query(`set local work_mem = '64MB'`)
  const columns = it.columns.map((column) => `${column.field} ${staged[column.kind].type}`)
  await tx.query(`create temp table staging (row integer not null, ${columns.join(', ')}, extra jsonb) on commit drop`)
  const fields = ['row', ...it.columns.map((column) => column.field), 'extra']
  const copy = `copy staging (${fields.join(', ')}) from stdin`
  const report = await readInChild(job, (rows) => pipeline(rows, tx.client.query(from(copy))), signal)
  await tx.query('analyze staging')
  return report
}
