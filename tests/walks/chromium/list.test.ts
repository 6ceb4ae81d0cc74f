import { listMachine } from '../../../machines/list.machine.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { list } from '../../models/list/steps.ts'

testWalks(list, listMachine, inChromium())
