import { downloadMachine } from '../../machines/download.machine.ts'
import { drive } from '../models/drive.steps.ts'
import { lives } from '../models/lives.ts'
import { inChromium } from './place.ts'

lives(drive, downloadMachine, inChromium())
