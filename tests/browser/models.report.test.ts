import { reportMachine } from '../../machines/report.machine.ts'
import { lives } from '../models/lives.ts'
import { report } from '../models/report.steps.ts'
import { inChromium } from './place.ts'

lives(report, reportMachine, inChromium())
