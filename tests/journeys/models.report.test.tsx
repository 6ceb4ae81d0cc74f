import { reportMachine } from '../../machines/report.machine.ts'
import { lives } from '../models/lives.ts'
import { report } from '../models/report.steps.ts'
import { onScreens } from '../models/screens.ts'

lives(report, reportMachine, onScreens())
