import { setup } from 'xstate'

/**
 * A person who changes their password (session 11): Cancel closes, Save sends, and a refusal leaves the
 * dialog open with what was typed. Long after the sign-in a second dialog asks for the present password.
 */
export const passwordModel = setup({}).createMachine({
  id: 'a person and their password',
  initial: 'portal',
  states: {
    portal: { on: { 'opens Change Password': 'empty dialog' } },
    'empty dialog': {
      on: {
        cancels: 'portal',
        'saves without typing': 'dialog that asks for both',
        'saves two that differ': 'dialog that sees them differ',
        'saves a new one': 'portal',
        'saves a new one, and it takes long': 'saving',
        'saves a short one': 'message over the dialog',
        'saves a new one, and the server fails': 'message over the dialog',
        'saves a new one, and no answer comes': 'message over the dialog',
        'saves a new one, signed out meanwhile': 'login form',
        'saves a new one, long after the sign-in': 'question',
      },
    },
    'dialog that asks for both': { on: { 'saves a new one': 'portal', cancels: 'portal' } },
    'dialog that sees them differ': { on: { 'saves a new one': 'portal' } },
    saving: { on: { 'the answer comes': 'portal', 'the server refuses': 'message over the dialog' } },
    question: {
      on: {
        cancels: 'filled dialog',
        'gives the present one': 'portal',
        'gives the present one, and it takes long': 'confirming',
        'gives a wrong one': 'question that refuses',
        'gives the present one, and no answer comes': 'question without an answer',
        'gives the present one, and the server then fails': 'message over the dialog',
      },
    },
    confirming: { on: { 'the confirmation comes': 'portal' } },
    'question that refuses': { on: { 'gives the present one': 'portal', cancels: 'filled dialog' } },
    'question without an answer': { on: { 'gives the present one': 'portal' } },
    'message over the dialog': { on: { dismisses: 'filled dialog' } },
    'filled dialog': { on: { 'saves a new one': 'portal', cancels: 'portal' } },
    'login form': { on: { 'signs in': 'portal' } },
  },
})
