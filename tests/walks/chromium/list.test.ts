import { listMachine } from '../../../machines/list.machine.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { lives } from '../../models/lib/testWalks.ts'
import { list } from '../../models/list/steps.ts'

lives(list, listMachine, inChromium())
