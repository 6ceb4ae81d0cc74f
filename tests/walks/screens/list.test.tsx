import { listMachine } from '../../../machines/list.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { list } from '../../models/list/steps.ts'

testWalks(list, listMachine, onScreens())
