import type { FastifyReply } from 'fastify'
import type { Caller } from '../auth.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db.ts'
import type { Report } from '../reports/report.ts'
import type { ReportValues } from '../../schemas/reports.ts'

/** Who asks from where for which report as a file, with what was sent and where it goes. */
export type Asked = {
  db: Db
  config: Config
  secret: Buffer
  it: Report
  caller: Caller
  address: string
  sent: ReportValues
  reply: FastifyReply
}
