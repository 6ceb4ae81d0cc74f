import { findMachine } from '../../../machines/find.machine.ts'
import { find } from '../../models/find/steps.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'

testWalks(find, findMachine, onScreens())
