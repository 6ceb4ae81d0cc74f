import { sessionMachine } from '../../../machines/account/session.machine.ts'
import type { User } from '../../../schemas/api/session.ts'
import { noPermissions } from '../../../schemas/permissions.ts'
import { Failure } from '../../../src/api/failure.ts'
import { answers, fails, passes } from '../../mbt/explore.ts'
import type { Spec } from '../../mbt/runPath.ts'
import { readTable } from '../../mbt/table.ts'

const table = `
from | stimulus | to | effects | keeps

The page is opened. A stored session is renewed on load; a stranger is asked to sign in.
(start) | opens the portal as a stranger         | loggedOut       |                           | user = none; loginError = none; endedFor = none
(start) | opens the portal with a stored session | active.renewing | calls renew (for the user) | user = Ann; loginError = none; endedFor = none

The login page. A 401 of the login call is the inline sentence, never the way out (session 2); other failures are
explained inline too (session 2). Nothing is stored before the terms are accepted.
loggedOut      | signs in                         | authenticating       | calls login (what was typed)          | loginError = none; endedFor = none
loggedOut      | another tab signs in             | active.waiting       | waits 300000 ms                       | user = Bob; loginError = none; endedFor = none
authenticating | login answers, terms accepted    | active.waiting       | storeUser (the answer); waits 300000 ms | user = the answer
authenticating | login answers, terms open        | termsRequired.asking |                                       | user = the answer
authenticating | login fails with 401             | loggedOut            |                                       | loginError = the refusal
authenticating | login fails with 429             | loggedOut            |                                       | loginError = too many attempts
authenticating | login fails without an answer    | loggedOut            |                                       | loginError = unreachable

The terms on the login page: Accept signs in, declining goes back to the form and ends the token.
termsRequired.asking    | accepts                  | termsRequired.accepting | calls acceptTerms (for the user)        |
termsRequired.asking    | declines                 | loggedOut               | revokeToken (the user)                  | user = none
termsRequired.asking    | a call is answered 401   | loggedOut               |                                         | user = none; endedFor = its user
termsRequired.accepting | declines                 | loggedOut               | revokeToken (the user); cancels acceptTerms | user = none
termsRequired.accepting | a call is answered 401   | loggedOut               | cancels acceptTerms                     | user = none; endedFor = its user
termsRequired.accepting | acceptTerms answers      | active.waiting          | storeUser (the answer); waits 300000 ms | user = the answer
termsRequired.accepting | acceptTerms fails with 401 | loggedOut             |                                         | user = none; endedFor = its user
termsRequired.accepting | acceptTerms fails with 500 | termsRequired.asking  |                                         |

The portal. The session is renewed every 300000 ms. A renewal runs in the background: it interrupts only when the
session has ended (401) or the terms have changed (428). Success of the email validation renews it at once.
active.waiting  | 300000 ms pass       | active.renewing    | calls renew (for the user)              |
active.waiting  | validates an email   | active.renewing    | calls renew (for the user)              |
active.renewing | validates an email   | active.renewing    | calls renew (for the user); cancels renew |
active.renewing | renew answers        | active.waiting     | storeUser (the answer); waits 300000 ms | user = the answer
active.renewing | renew fails with 401 | loggedOut          | clearStoredUser (the user)                         | user = none; endedFor = its user
active.renewing | renew fails with 428 | termsPrompt.asking |                                         |
active.renewing | renew fails with 500 | active.waiting     | waits 300000 ms                         |

Logging out clears the stored user and ends the token. A 401 on any call logs out, a 428 opens the terms dialog.
active.waiting  | logs out               | loggedOut          | revokeToken (the user); clearStoredUser (the user)                | user = none
active.renewing | logs out               | loggedOut          | revokeToken (the user); clearStoredUser (the user); cancels renew | user = none
active.waiting  | a call is answered 401 | loggedOut          | clearStoredUser (the user)                                        | user = none; endedFor = its user
active.renewing | a call is answered 401 | loggedOut          | clearStoredUser (the user); cancels renew                         | user = none; endedFor = its user
active.waiting  | a call is answered 428 | termsPrompt.asking |                                                        |
active.renewing | a call is answered 428 | termsPrompt.asking | cancels renew                                          |

Two tabs: log out in one, both are out, and nothing is cleared twice; one renewal serves both. If somebody else has
signed in, the portal starts over.
active.waiting  | another tab logs out               | loggedOut      |                                          | user = none
active.renewing | another tab logs out               | loggedOut      | cancels renew                            | user = none
active.waiting  | another tab renews the same user   | active.waiting | waits 300000 ms                          | user = the same user, renewed
active.renewing | another tab renews the same user   | active.waiting | waits 300000 ms; cancels renew           | user = the same user, renewed
active.waiting  | somebody else signs in elsewhere   | active.waiting | startOver (somebody else); waits 300000 ms               | user = somebody else
active.renewing | somebody else signs in elsewhere   | active.waiting | startOver (somebody else); waits 300000 ms; cancels renew | user = somebody else

'We've Updated our Terms and Conditions': Agree accepts and then sends the waiting calls again (session 8), Cancel logs out.
termsPrompt.asking    | accepts                    | termsPrompt.accepting | calls acceptTerms (for the user)                      |
termsPrompt.asking    | declines                   | loggedOut             | revokeToken (the user); clearStoredUser (the user)               | user = none
termsPrompt.accepting | declines                   | loggedOut             | revokeToken (the user); clearStoredUser (the user); cancels acceptTerms | user = none
termsPrompt.accepting | acceptPrompted answers     | active.waiting        | storeUser (the answer); resendCalls (the answer); waits 300000 ms | user = the answer
termsPrompt.accepting | acceptPrompted fails with 401 | loggedOut          | clearStoredUser (the user)                                       | user = none; endedFor = its user
termsPrompt.accepting | acceptPrompted fails with 500 | termsPrompt.asking |                                                       |
termsPrompt.asking    | a call is answered 401     | loggedOut             | clearStoredUser (the user)                                       | user = none; endedFor = its user
termsPrompt.accepting | a call is answered 401     | loggedOut             | clearStoredUser (the user); cancels acceptTerms                  | user = none; endedFor = its user
termsPrompt.asking    | another tab logs out       | loggedOut             |                                                       | user = none
termsPrompt.accepting | another tab logs out       | loggedOut             | cancels acceptTerms                                   | user = none
termsPrompt.asking    | another tab renews the same user | active.waiting  | resendCalls (the same user, renewed); waits 300000 ms                         | user = the same user, renewed
termsPrompt.accepting | another tab renews the same user | active.waiting  | resendCalls (the same user, renewed); waits 300000 ms; cancels acceptTerms    | user = the same user, renewed
termsPrompt.asking    | somebody else signs in elsewhere | active.waiting  | startOver (somebody else); waits 300000 ms                            | user = somebody else
termsPrompt.accepting | somebody else signs in elsewhere | active.waiting  | startOver (somebody else); waits 300000 ms; cancels acceptTerms       | user = somebody else
`

const person = (username: string, access_token: string): User => ({
  username,
  access_token,
  email: null,
  admin: false,
  permissions: noPermissions,
  masteragentid: 7,
  seesall: false,
  tc_accepted: true,
})
const ann = person('ann', 'ann 1')
const bob = person('bob', 'bob 1')
const typed = { username: 'ann', password: 'correct horse battery' }
/** Made from the user at hand, so that one row holds for whoever is signed in. */
const renewed = (user: User | null) =>
  user && { ...user, access_token: `${user.access_token}, renewed elsewhere` }
const other = (user: User | null) => user && person(`not ${user.username}`, 'another token')

export const session: Spec<typeof sessionMachine> = {
  machine: sessionMachine,
  rows: readTable(table),
  starts: {
    'opens the portal as a stranger': { stored: null },
    'opens the portal with a stored session': { stored: ann },
  },
  stimuli: {
    'signs in': { type: 'session.login', login: typed },
    'logs out': { type: 'session.logout' },
    'validates an email': { type: 'session.renew' },
    accepts: { type: 'terms.accept' },
    declines: { type: 'terms.decline' },
    'a call is answered 401': { type: 'http.unauthorized' },
    'a call is answered 428': { type: 'http.termsRequired' },
    'another tab signs in': ({ user }) => (user ? null : { type: 'tab.signedIn', user: bob }),
    'another tab logs out': { type: 'tab.signedOut' },
    'another tab renews the same user': ({ user }) =>
      user ? { type: 'tab.signedIn', user: renewed(user)! } : null,
    'somebody else signs in elsewhere': ({ user }) =>
      user ? { type: 'tab.signedIn', user: other(user)! } : null,
    'login answers, terms accepted': answers('login', ann),
    'login answers, terms open': answers('login', { ...ann, tc_accepted: false }),
    'login fails with 401': fails('login', new Failure(401, 'Unauthorized')),
    'login fails with 429': fails(
      'login',
      new Failure(429, 'Too many failed sign-ins. Please try again in 15 minutes.'),
    ),
    'login fails without an answer': fails('login', 'no answer'),
    'acceptTerms answers': answers('acceptTerms', person('ann', 'ann 2')),
    'acceptTerms fails with 401': fails('acceptTerms', new Failure(401, 'Please sign in')),
    'acceptTerms fails with 500': fails('acceptTerms', new Failure(500, 'An error has occured.')),
    'acceptPrompted answers': answers('acceptPrompted', person('ann', 'ann 3')),
    'acceptPrompted fails with 401': fails('acceptPrompted', new Failure(401, 'Please sign in')),
    'acceptPrompted fails with 500': fails('acceptPrompted', new Failure(500, 'An error has occured.')),
    '300000 ms pass': passes(300_000, 'renewInterval.session.active.waiting'),
    'renew answers': answers('renew', person('ann', 'ann 4')),
    'renew fails with 401': fails('renew', new Failure(401, 'Please sign in')),
    'renew fails with 428': fails(
      'renew',
      new Failure(428, 'Please accept the Terms and Conditions to continue'),
    ),
    'renew fails with 500': fails('renew', new Failure(500, 'An error has occured.')),
  },
  values: {
    Ann: ann,
    Bob: bob,
    'its user': ({ before }) => before.user?.username,
    'what was typed': typed,
    'the user': ({ before }) => before.user,
    'for the user': ({ after }) => ({ user: after.user }),
    'the same user, renewed': ({ before }) => renewed(before.user),
    'somebody else': ({ before }) => other(before.user),
    'the refusal': 'Invalid Username or Password',
    'too many attempts': 'Too many failed sign-ins. Please try again in 15 minutes.',
    unreachable: 'The portal cannot be reached. Please try again.',
  },
  payloads: {
    storeUser: ({ user }) => user,
    clearStoredUser: ({ user }) => user,
    revokeToken: ({ user }) => user,
    resendCalls: ({ user }) => user,
    startOver: ({ user }) => user,
  },
  harmless: {
    ...Object.fromEntries(
      [
        'session.active http.unauthorized[0]',
        'session.active.renewing renew onError[0]',
        'session.termsPrompt http.unauthorized[0]',
        'session.termsPrompt.accepting acceptPrompted onError[0]',
      ].map((way) => [
        `${way} action 0 and 1 exchanged`,
        'what the browser keeps is cleared whether or not the end is noted yet',
      ]),
    ),
    'session.active session.renew[0] goes to session.starting':
      'with a user at hand, starting goes on to the renewal at once',
    'session.active starts in renewing': 'every way into the portal names the state inside',
    'session.active.waiting after renewInterval[0] goes to session.starting':
      'with a user at hand, starting goes on to the renewal at once',
    'session.authenticating login onError[0] goes to session.starting':
      'without a user at hand, starting goes on to the login form at once',
    'session.authenticating login onError[1] goes to session.starting':
      'without a user at hand, starting goes on to the login form at once',
  },
}
