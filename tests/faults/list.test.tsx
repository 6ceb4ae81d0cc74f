import { notices } from '../models/lib/testFaults.ts'
import { listFaults } from '../models/list/faults.ts'

notices('the list and the dialog', listFaults)
