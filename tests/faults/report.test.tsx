import { notices } from '../models/lib/testFaults.ts'
import { reportFaults } from '../models/report/faults.ts'

notices('the reports', reportFaults)
