import { setup } from 'xstate'

/**
 * A person who runs the statement of one agent (reports 1, months 3). A state is what is on the screen. The
 * newest month is open, the
 * one before is locked. The model knows nothing of how the portal does it.
 */
export const reportStimuli = [
  'a clerk opens Reporting',
  'an administrator opens Reporting',
  'opens Reporting, and it takes long',
  'opens Reporting, and the server fails',
  'the answer comes',
  'dismisses the message',
  'tries again',
  'chooses the statement',
  'chooses the other report',
  'chooses the open month',
  'chooses the locked month',
  'chooses an agent',
  'generates',
  'generates, and it takes long',
  'generates, and the server fails',
  'presses Cancel',
  'downloads',
  'downloads a .csv',
  'downloads, and it takes long',
  'downloads, and the server fails',
  'downloads, and the session has ended',
  'presses Lock Report',
  'does not confirm',
  'confirms',
  'confirms, and it takes long',
  'confirms, and the server fails',
  'confirms, but somebody was faster',
  'confirms, and then the reports cannot be had',
  'presses Unlock Report',
  'gives no reason',
  'gives a reason',
  'gives a reason, and it takes long',
  'gives a reason, and the server fails',
  'gives a reason, but somebody was faster',
] as const
export type ReportStimulus = (typeof reportStimuli)[number]

export const reportModel = setup({ types: { events: {} as { type: ReportStimulus } } }).createMachine({
  id: 'a person and a report',
  initial: 'nobody is there',
  states: {
    'nobody is there': {
      on: {
        'a clerk opens Reporting': 'reports of a clerk',
        'an administrator opens Reporting': 'reports',
        'opens Reporting, and it takes long': 'reports awaited',
        'opens Reporting, and the server fails': 'message that there are no reports',
      },
    },
    'reports awaited': { on: { 'the answer comes': 'reports' } },
    'message that there are no reports': { on: { 'dismisses the message': 'no reports' } },
    'no reports': { on: { 'tries again': 'reports' } },
    'reports of a clerk': { on: { 'chooses the statement': 'statement of a clerk' } },
    'statement of a clerk': {
      on: {
        'chooses the open month': 'open month of a clerk',
        'chooses the locked month': 'locked month of a clerk',
      },
    },
    'open month of a clerk': { on: {} },
    'locked month of a clerk': { on: {} },
    reports: { on: { 'chooses the statement': 'statement' } },
    statement: { on: { 'chooses the open month': 'open month alone' } },
    'open month alone': {
      on: { 'chooses an agent': 'open month', 'chooses the locked month': 'locked month alone' },
    },
    'locked month alone': { on: {} },
    'open month': {
      on: {
        generates: 'figures',
        'generates, and it takes long': 'generating',
        'generates, and the server fails': 'message that it was not generated',
        downloads: 'open month',
        'downloads a .csv': 'open month as a csv',
        'presses Lock Report': 'lock?',
      },
    },
    'open month as a csv': {
      on: {
        'downloads, and it takes long': 'preparing the download',
        'downloads, and the server fails': 'message that it was not downloaded',
        'downloads, and the session has ended': 'login',
      },
    },
    generating: { on: { 'presses Cancel': 'open month', 'the answer comes': 'figures' } },
    'message that it was not generated': { on: { 'dismisses the message': 'open month' } },
    'preparing the download': {
      on: { 'presses Cancel': 'open month as a csv', 'the answer comes': 'open month as a csv' },
    },
    'message that it was not downloaded': { on: { 'dismisses the message': 'open month as a csv' } },
    figures: {
      on: {
        'chooses the locked month': 'old figures',
        'chooses the other report': 'other report',
        generates: 'figures',
      },
    },
    'old figures': { on: { generates: 'figures of the locked month' } },
    'figures of the locked month': { on: { 'presses Unlock Report': 'reason to unlock the month before?' } },
    'reason to unlock the month before?': { on: { 'does not confirm': 'figures of the locked month' } },
    'other report': { on: { 'chooses the statement': 'open month' } },
    'lock?': {
      on: {
        'does not confirm': 'open month',
        confirms: 'locked now',
        'confirms, and it takes long': 'locking',
        'confirms, and the server fails': 'message that it was not locked',
        'confirms, but somebody was faster': 'message that somebody locked it',
        'confirms, and then the reports cannot be had': 'message that there are no reports any more',
      },
    },
    locking: { on: { 'the answer comes': 'locked now' } },
    'message that it was not locked': { on: { 'dismisses the message': 'open month' } },
    'message that somebody locked it': { on: { 'dismisses the message': 'locked by somebody' } },
    'message that there are no reports any more': { on: { 'dismisses the message': 'no reports any more' } },
    'no reports any more': { on: { 'tries again': 'locked now' } },
    'locked now': { on: { 'presses Unlock Report': 'reason?' } },
    'locked by somebody': { on: { 'presses Unlock Report': 'reason?' } },
    'reason?': {
      on: {
        'does not confirm': 'locked by somebody',
        'gives no reason': 'reason is required',
        'gives a reason': 'unlocked now',
        'gives a reason, and it takes long': 'unlocking',
        'gives a reason, and the server fails': 'message that it was not unlocked',
        'gives a reason, but somebody was faster': 'message that somebody unlocked it',
      },
    },
    'reason is required': { on: { 'gives a reason': 'unlocked now' } },
    unlocking: { on: { 'the answer comes': 'unlocked now' } },
    'message that it was not unlocked': { on: { 'dismisses the message': 'reason given' } },
    'reason given': { on: { 'does not confirm': 'locked by somebody' } },
    'message that somebody unlocked it': { on: { 'dismisses the message': 'open month' } },
    'unlocked now': { on: { generates: 'figures' } },
    login: {},
  },
})
