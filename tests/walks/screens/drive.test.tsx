import { downloadMachine } from '../../../machines/download.machine.ts'
import { drive } from '../../models/drive/steps.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { lives } from '../../models/lib/testWalks.ts'

lives(drive, downloadMachine, onScreens())
