import { listFaults } from '../models/list.faults.ts'
import { notices } from '../models/notices.ts'

notices('the list and the dialog', listFaults)
