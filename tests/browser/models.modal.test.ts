import { modalMachine } from '../../machines/modal.machine.ts'
import { lives } from '../models/lives.ts'
import { modal } from '../models/modal.steps.ts'
import { inChromium } from './place.ts'

lives(modal, modalMachine, inChromium())
