import { downloadMachine } from '../../../machines/download.machine.ts'
import { drive } from '../../models/drive/steps.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'

testWalks(drive, downloadMachine, inChromium())
