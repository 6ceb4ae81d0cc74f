import { downloadMachine } from '../../../machines/download.machine.ts'
import { drive } from '../../models/drive/steps.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { lives } from '../../models/lib/testWalks.ts'

lives(drive, downloadMachine, inChromium())
