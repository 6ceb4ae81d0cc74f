import { notices } from '../models/lib/testFaults.ts'
import { importFaults } from '../models/upload/faults.ts'

notices('the import and its history', importFaults)
