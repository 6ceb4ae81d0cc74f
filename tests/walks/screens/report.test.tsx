import { reportMachine } from '../../../machines/report.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { report } from '../../models/report/steps.ts'

testWalks(report, reportMachine, onScreens())
