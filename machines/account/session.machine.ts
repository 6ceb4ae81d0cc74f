import { assign, fromPromise, setup } from 'xstate'
import type { Credentials, User } from '../../schemas/api/session.ts'
import { errorProperty } from '../errors/errorProperty.ts'
import { failureText } from '../errors/failureText.ts'
import { notProvided } from '../errors/notProvided.ts'

type Failed = { error: unknown }

/**
 * The session: signing in (session 1), accepting the terms (session 3, session 8), renewal on load and every
 * 300000 ms (session 5), 401 and 428 answers (session 7), and other tabs of the same browser (session 10).
 */
export const sessionMachine = setup({
  types: {
    /** `endedFor`: whose session ended by itself; the login form says so, with the name typed in. */
    context: {} as { user: User | null; loginError: string | null; endedFor: string | null },
    input: {} as { stored: User | null },
    events: {} as
      | { type: 'session.login'; login: Credentials }
      | { type: 'session.logout' }
      | { type: 'session.renew' }
      | { type: 'terms.accept' }
      | { type: 'terms.decline' }
      | { type: 'http.unauthorized' }
      | { type: 'http.termsRequired' }
      | { type: 'tab.signedIn'; user: User }
      | { type: 'tab.signedOut' },
  },
  actors: {
    login: fromPromise<User, Credentials>(() => notProvided()),
    renew: fromPromise<User, { user: User | null }>(() => notProvided()),
    acceptTerms: fromPromise<User, { user: User | null }>(() => notProvided()),
  },
  delays: { renewInterval: 300_000 },
  guards: {
    isStored: ({ context }) => context.user !== null,
    termsAccepted: (_, params: { user: User }) => params.user.tc_accepted,
    isUnauthorized: (_, params: Failed) => errorProperty(params.error, 'status') === 401,
    isTermsRequired: (_, params: Failed) => errorProperty(params.error, 'status') === 428,
    isSameUser: ({ context }, params: { user: User }) => context.user?.username === params.user.username,
  },
  actions: {
    keepUser: assign((_, params: { user: User }) => ({ user: params.user })),
    rejectLogin: assign({ loginError: 'Invalid Username or Password' }),
    explainLogin: assign((_, params: Failed) => ({
      loginError: failureText(params.error),
    })),
    noteEnd: assign(({ context }) => ({ endedFor: context.user?.username ?? null })),
    clearMessages: assign({ loginError: null, endedFor: null }),
    forgetUser: assign({ user: null }),
    storeUser: () => {},
    clearStoredUser: () => {},
    revokeToken: () => {},
    resendCalls: () => {},
    startOver: () => {},
  },
}).createMachine({
  id: 'session',
  context: ({ input }) => ({ user: input.stored, loginError: null, endedFor: null }),
  initial: 'starting',
  states: {
    starting: {
      description:
        'The page was just opened: a stored session is renewed, otherwise the login form is shown.',
      always: [{ guard: 'isStored', target: 'active.renewing' }, { target: 'loggedOut' }],
    },
    loggedOut: {
      description: 'The login form.',
      entry: 'forgetUser',
      on: {
        'session.login': 'authenticating',
        'tab.signedIn': {
          target: 'active.waiting',
          actions: ['clearMessages', { type: 'keepUser', params: ({ event }) => ({ user: event.user }) }],
        },
      },
    },
    authenticating: {
      entry: 'clearMessages',
      invoke: {
        id: 'login',
        src: 'login',
        input: ({ event }) => (event.type === 'session.login' ? event.login : { username: '', password: '' }),
        onDone: [
          {
            guard: { type: 'termsAccepted', params: ({ event }) => ({ user: event.output }) },
            target: 'active.waiting',
            actions: [{ type: 'keepUser', params: ({ event }) => ({ user: event.output }) }, 'storeUser'],
          },
          {
            target: 'termsRequired',
            actions: { type: 'keepUser', params: ({ event }) => ({ user: event.output }) },
          },
        ],
        onError: [
          {
            guard: { type: 'isUnauthorized', params: ({ event }) => ({ error: event.error }) },
            target: 'loggedOut',
            actions: 'rejectLogin',
          },
          {
            target: 'loggedOut',
            actions: { type: 'explainLogin', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    termsRequired: {
      description: 'The login page shows the terms. Nothing is stored before they are accepted.',
      initial: 'asking',
      on: {
        'terms.decline': { target: 'loggedOut', actions: 'revokeToken' },
        'http.unauthorized': { target: 'loggedOut', actions: 'noteEnd' },
      },
      states: {
        asking: { on: { 'terms.accept': 'accepting' } },
        accepting: {
          invoke: {
            id: 'acceptTerms',
            src: 'acceptTerms',
            input: ({ context }) => ({ user: context.user }),
            onDone: {
              target: '#session.active.waiting',
              actions: [{ type: 'keepUser', params: ({ event }) => ({ user: event.output }) }, 'storeUser'],
            },
            onError: [
              {
                guard: { type: 'isUnauthorized', params: ({ event }) => ({ error: event.error }) },
                target: '#session.loggedOut',
                actions: 'noteEnd',
              },
              { target: 'asking' },
            ],
          },
        },
      },
    },
    active: {
      description: 'The portal. The session is renewed on load and every 300000 ms.',
      initial: 'waiting',
      on: {
        'session.logout': { target: 'loggedOut', actions: ['revokeToken', 'clearStoredUser'] },
        'session.renew': '.renewing',
        'http.unauthorized': { target: 'loggedOut', actions: ['clearStoredUser', 'noteEnd'] },
        'http.termsRequired': 'termsPrompt',
        'tab.signedOut': 'loggedOut',
        'tab.signedIn': [
          {
            guard: { type: 'isSameUser', params: ({ event }) => ({ user: event.user }) },
            target: '.waiting',
            actions: { type: 'keepUser', params: ({ event }) => ({ user: event.user }) },
          },
          {
            target: '.waiting',
            actions: [{ type: 'keepUser', params: ({ event }) => ({ user: event.user }) }, 'startOver'],
          },
        ],
      },
      states: {
        waiting: { after: { renewInterval: 'renewing' } },
        renewing: {
          invoke: {
            id: 'renew',
            src: 'renew',
            input: ({ context }) => ({ user: context.user }),
            onDone: {
              target: 'waiting',
              actions: [{ type: 'keepUser', params: ({ event }) => ({ user: event.output }) }, 'storeUser'],
            },
            onError: [
              {
                guard: { type: 'isUnauthorized', params: ({ event }) => ({ error: event.error }) },
                target: '#session.loggedOut',
                actions: ['clearStoredUser', 'noteEnd'],
              },
              {
                guard: { type: 'isTermsRequired', params: ({ event }) => ({ error: event.error }) },
                target: '#session.termsPrompt',
              },
              { target: 'waiting' },
            ],
          },
        },
      },
    },
    termsPrompt: {
      description: "The dialog 'We've Updated our Terms and Conditions' over the portal.",
      initial: 'asking',
      on: {
        'terms.decline': { target: 'loggedOut', actions: ['revokeToken', 'clearStoredUser'] },
        'http.unauthorized': { target: 'loggedOut', actions: ['clearStoredUser', 'noteEnd'] },
        'tab.signedOut': 'loggedOut',
        'tab.signedIn': [
          {
            guard: { type: 'isSameUser', params: ({ event }) => ({ user: event.user }) },
            target: 'active.waiting',
            actions: [{ type: 'keepUser', params: ({ event }) => ({ user: event.user }) }, 'resendCalls'],
          },
          {
            target: 'active.waiting',
            actions: [{ type: 'keepUser', params: ({ event }) => ({ user: event.user }) }, 'startOver'],
          },
        ],
      },
      states: {
        asking: { on: { 'terms.accept': 'accepting' } },
        accepting: {
          invoke: {
            id: 'acceptPrompted',
            src: 'acceptTerms',
            input: ({ context }) => ({ user: context.user }),
            onDone: {
              target: '#session.active.waiting',
              actions: [
                { type: 'keepUser', params: ({ event }) => ({ user: event.output }) },
                'storeUser',
                'resendCalls',
              ],
            },
            onError: [
              {
                guard: { type: 'isUnauthorized', params: ({ event }) => ({ error: event.error }) },
                target: '#session.loggedOut',
                actions: ['clearStoredUser', 'noteEnd'],
              },
              { target: 'asking' },
            ],
          },
        },
      },
    },
  },
})
