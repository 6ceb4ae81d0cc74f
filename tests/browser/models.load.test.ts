import { loadMachine } from '../../machines/load.machine.ts'
import { lives } from '../models/lives.ts'
import { load } from '../models/load.steps.ts'
import { inChromium } from './place.ts'

lives(load, loadMachine, inChromium())
