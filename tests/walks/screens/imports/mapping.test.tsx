import { mappingMachine } from '../../../../machines/mapping.machine.ts'
import { onScreens } from '../../../models/lib/onScreens.ts'
import { testWalks } from '../../../models/lib/testWalks.ts'
import { mapping } from '../../../models/mapping/steps.ts'

testWalks(mapping, mappingMachine, onScreens())
