import { manyMachine } from '../../../machines/many.machine.ts'
import { onScreens } from '../../models/lib/onScreens.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { many } from '../../models/many/steps.ts'

testWalks(many, manyMachine, onScreens())
