import { reportMachine } from '../../../machines/report.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { lives } from '../../models/lib/testWalks.ts'
import { report } from '../../models/report/steps.ts'

lives(report, reportMachine, onScreens())
