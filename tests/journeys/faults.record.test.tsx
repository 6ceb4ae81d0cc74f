import { notices } from '../models/notices.ts'
import { recordFaults } from '../models/record.faults.ts'

notices('the records of every kind', recordFaults)
