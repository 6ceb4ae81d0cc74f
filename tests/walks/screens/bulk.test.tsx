import { bulkMachine } from '../../../machines/bulk.machine.ts'
import { bulk } from '../../models/bulk/steps.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'

testWalks(bulk, bulkMachine, onScreens())
