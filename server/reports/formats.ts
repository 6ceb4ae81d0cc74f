import type { Caller } from '../auth.ts'
import type { Config } from '../config.ts'
import type { Report } from './report.ts'
import type { ExportFormat } from '../../schemas/reports.ts'

/** The files this caller may have of a report. */
export const formatsFor = (_it: Report, _caller: Caller, _config: Config): ExportFormat[] => ['xlsx', 'csv']
