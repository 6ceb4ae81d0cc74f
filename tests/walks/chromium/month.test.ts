import { monthMachine } from '../../../machines/month.machine.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { month } from '../../models/month/steps.ts'

testWalks(month, monthMachine, inChromium())
