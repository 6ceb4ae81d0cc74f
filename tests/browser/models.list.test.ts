import { listMachine } from '../../machines/list.machine.ts'
import { list } from '../models/list.steps.ts'
import { lives } from '../models/lives.ts'
import { inChromium } from './place.ts'

lives(list, listMachine, inChromium())
