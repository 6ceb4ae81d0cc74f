import { notices } from '../models/lib/testFaults.ts'
import { recordFaults } from '../models/record/faults.ts'

notices('the records of every kind', recordFaults)
