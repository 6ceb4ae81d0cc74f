import { notices } from '../models/notices.ts'
import { reportFaults } from '../models/report.faults.ts'

notices('the reports', reportFaults)
