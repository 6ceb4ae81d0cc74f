import { uploadMachine } from '../../../machines/upload.machine.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { lives } from '../../models/lib/testWalks.ts'
import { upload } from '../../models/upload/steps.ts'

// Walks of this model are slow steps: each takes a file to the server and back.
lives(upload, uploadMachine, { ...inChromium(), longest: 20 })
