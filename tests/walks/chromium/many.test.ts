import { manyMachine } from '../../../machines/many.machine.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { many } from '../../models/many/steps.ts'

testWalks(many, manyMachine, inChromium())
