import { importFaults } from '../models/import.faults.ts'
import { notices } from '../models/notices.ts'

notices('the import and its history', importFaults)
