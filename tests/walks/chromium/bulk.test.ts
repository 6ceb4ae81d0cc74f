import { bulkMachine } from '../../../machines/bulk.machine.ts'
import { bulk } from '../../models/bulk/steps.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'

testWalks(bulk, bulkMachine, inChromium())
