import { uploadMachine } from '../../machines/upload.machine.ts'
import { lives } from '../models/lives.ts'
import { upload } from '../models/upload.steps.ts'
import { inChromium } from './place.ts'

// Walks of this model are slow steps: each takes a file to the server and back.
lives(upload, uploadMachine, { ...inChromium(), longest: 20 })
