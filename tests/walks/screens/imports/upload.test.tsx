import { uploadMachine } from '../../../../machines/upload.machine.ts'
import { onScreens } from '../../../models/lib/onScreens.ts'
import { testWalks } from '../../../models/lib/testWalks.ts'
import { upload } from '../../../models/upload/steps.ts'

testWalks(upload, uploadMachine, onScreens())
