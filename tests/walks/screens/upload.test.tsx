import { uploadMachine } from '../../../machines/upload.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { lives } from '../../models/lib/testWalks.ts'
import { upload } from '../../models/upload/steps.ts'

lives(upload, uploadMachine, onScreens())
