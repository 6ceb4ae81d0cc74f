import { monthMachine } from '../../../machines/month.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { month } from '../../models/month/steps.ts'

testWalks(month, monthMachine, onScreens())
