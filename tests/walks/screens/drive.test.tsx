import { downloadMachine } from '../../../machines/download.machine.ts'
import { drive } from '../../models/drive/steps.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'

testWalks(drive, downloadMachine, onScreens())
