import { reportMachine } from '../../../machines/report.machine.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { lives } from '../../models/lib/testWalks.ts'
import { report } from '../../models/report/steps.ts'

lives(report, reportMachine, inChromium())
