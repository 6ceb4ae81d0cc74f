import type { Caller } from '../auth.ts'
import type { Config } from '../config.ts'
import type { Report } from './report.ts'
import type { ExportFormat } from '../../schemas/reports.ts'

/** The files this caller may have of a report. One for the bank holds whole bank numbers, and needs a bank. */
export const formatsFor = (it: Report, { permissions, scope }: Caller, { ach }: Pick<Config, 'ach'>): ExportFormat[] =>
  it.nacha && ach && scope === null && permissions.lock_reports && permissions.manage_master_agents
    ? ['xlsx', 'csv', 'nacha']
    : ['xlsx', 'csv']
