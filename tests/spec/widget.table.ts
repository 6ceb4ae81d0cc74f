import { widgetMachine } from '../../machines/widget.machine.ts'
import { answers, fails, passes } from '../mbt/explore.ts'
import type { Spec } from '../mbt/runPath.ts'
import { readTable } from '../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

The support widget (tickets 9) is loaded when the user has an email. Its readiness is polled every 10 ms (constants 1), and
not for ever; then the user is signed in there.
(start)    | opens the portal, which checks twice     | idle      |                                        | script = none; checks = 0; maxChecks = 2
idle       | the user has an email                   | loading   | calls loadScript (the script); waits 15000 ms | script = the address; checks = 0
loading    | loadScript answers                      | waiting   | waits 10 ms                            |
waiting    | 10 ms pass                              | checking  | calls checkReadiness                            |
checking, more to come | it is not ready              | waiting   | waits 10 ms                            | checks = one more
checking   | it is ready                             | signingIn | calls signIn                           |
signingIn  | signIn answers                          | ready     |                                        |

A script that never loads, fails or never gets ready is taken away again, and nobody is told.
loading    | loadScript fails                        | failed    | uninstall                              |
loading    | 15000 ms pass                           | failed    | uninstall; cancels loadScript          |
checking, the last | it is not ready                  | failed    | uninstall                              |
checking   | the check fails                          | failed    | uninstall                              |
signingIn  | signIn fails                            | failed    | uninstall                              |

Logging out closes it, and without an email any existing widget is uninstalled. With an email again, it is loaded again.
loading    | the user has left                       | idle      | uninstall; cancels loadScript          |
waiting    | the user has left                       | idle      | uninstall                              |
checking   | the user has left                       | idle      | uninstall; cancels checkReadiness               |
signingIn  | the user has left                       | idle      | uninstall; cancels signIn              |
ready      | the user has left                       | idle      | uninstall                              |
failed     | the user has left                       | idle      |                                        |
`

const script = 'https://desk.example.com/widget.js'

export const widget: Spec<typeof widgetMachine> = {
  machine: widgetMachine,
  rows: readTable(table),
  starts: { 'opens the portal, which checks twice': { maxChecks: 2 } },
  words: ({ checks, maxChecks }) => [checks + 1 < maxChecks ? 'more to come' : 'the last'],
  stimuli: {
    'the user has an email': { type: 'install', script },
    'the user has left': { type: 'leave' },
    'loadScript answers': answers('loadScript'),
    'loadScript fails': fails('loadScript', new Error('it cannot be loaded')),
    '15000 ms pass': passes(15_000, 'scriptTimeout.widget.loading'),
    '10 ms pass': passes(10, 'readinessPoll.widget.waiting'),
    'it is ready': answers('checkReadiness', true),
    'it is not ready': answers('checkReadiness', false),
    'the check fails': fails('checkReadiness', new Error('it is broken')),
    'signIn answers': answers('signIn'),
    'signIn fails': fails('signIn', new Error('it is broken')),
  },
  values: {
    '0': 0,
    '2': 2,
    'the address': script,
    'the script': { script },
    'one more': ({ before }) => before.checks + 1,
  },
}
