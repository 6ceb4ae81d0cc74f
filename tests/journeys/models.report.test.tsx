import { reportMachine } from '../../machines/report.machine.ts'
import { lives } from '../models/lives.ts'
import { report } from '../models/report.steps.ts'
import { onScreens } from '../models/screens.ts'

// What the page fetches when it is asked for is here before the first walk, which then does not wait for a compiler.
await Promise.all([import('../../src/shell/Shell.tsx'), import('../../src/Screens.tsx'), import('../../src/pages/ReportPage.tsx'), import('../../src/pages/ReportInputs.tsx'), import('../../src/pages/ReportUnlock.tsx')])

lives(report, reportMachine, onScreens())
