import { modalMachine } from '../../../machines/modal.machine.ts'
import { inChromium } from '../../models/lib/inChromium.ts'
import { testWalks } from '../../models/lib/testWalks.ts'
import { modal } from '../../models/record/steps.ts'

/**
 * The error dialog keeps its place in the page from the first time on, and the record's dialog is newer then.
 */
const secondError = [
  'a manager opens a record that does not exist',
  'dismisses the message',
  'follows a row',
  'types a status',
  'presses Save, and the server fails',
  'dismisses the message',
]

testWalks(modal, modalMachine, inChromium(), [secondError])
