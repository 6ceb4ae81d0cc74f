import { uploadMachine } from '../../../../machines/upload.machine.ts'
import { inChromium } from '../../../models/lib/inChromium.ts'
import { testWalks } from '../../../models/lib/testWalks.ts'
import { upload } from '../../../models/upload/steps.ts'

testWalks(upload, uploadMachine, inChromium())
