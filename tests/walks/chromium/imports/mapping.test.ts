import { mappingMachine } from '../../../../machines/mapping.machine.ts'
import { inChromium } from '../../../models/lib/inChromium.ts'
import { testWalks } from '../../../models/lib/testWalks.ts'
import { mapping } from '../../../models/mapping/steps.ts'

testWalks(mapping, mappingMachine, inChromium())
