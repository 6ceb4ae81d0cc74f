import { uploadMachine } from '../../machines/upload.machine.ts'
import { lives } from '../models/lives.ts'
import { upload } from '../models/upload.steps.ts'
import { inChromium } from './place.ts'

lives(upload, uploadMachine, inChromium())
