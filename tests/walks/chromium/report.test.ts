import { reportMachine } from '../../../machines/report.machine.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { report } from '../../models/report/steps.ts'

testWalks(report, reportMachine, inChromium())
