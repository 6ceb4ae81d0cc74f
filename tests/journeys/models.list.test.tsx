import { listMachine } from '../../machines/list.machine.ts'
import { list } from '../models/list.steps.ts'
import { lives } from '../models/lives.ts'
import { onScreens } from '../models/screens.ts'

lives(list, listMachine, onScreens())
