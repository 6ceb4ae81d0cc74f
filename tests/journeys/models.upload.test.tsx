import { uploadMachine } from '../../machines/upload.machine.ts'
import { lives } from '../models/lives.ts'
import { onScreens } from '../models/screens.ts'
import { upload } from '../models/upload.steps.ts'

lives(upload, uploadMachine, onScreens())
