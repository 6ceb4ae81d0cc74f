import { downloadMachine } from '../../machines/download.machine.ts'
import { drive } from '../models/drive.steps.ts'
import { lives } from '../models/lives.ts'
import { onScreens } from '../models/screens.ts'

lives(drive, downloadMachine, onScreens())
