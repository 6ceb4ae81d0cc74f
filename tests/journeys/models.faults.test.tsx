import { faults } from '../models/faults.ts'
import { notices } from '../models/notices.ts'

notices('the models of the list, the dialog and the import would notice that', faults)
