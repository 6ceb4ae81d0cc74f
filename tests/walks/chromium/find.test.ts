import { findMachine } from '../../../machines/find.machine.ts'
import { find } from '../../models/find/steps.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'

testWalks(find, findMachine, inChromium())
