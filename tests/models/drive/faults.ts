import {
  acting,
  answered,
  changed,
  heard,
  mute,
  part,
  pressed,
  type Fault,
  type Tamper,
} from '../lib/tamper.ts'
import { drive } from './steps.ts'

const file = 'GET /api/v2/files/'
/** Somebody forgot that names are typed without accents. */
const accents: Tamper = {
  page: () => {
    const own = Object.getOwnPropertyDescriptor(String.prototype, 'normalize')!
    const forgetful = function (this: string) {
      return String(this)
    }
    Object.defineProperty(String.prototype, 'normalize', { ...own, value: forgetful })
    return () => Object.defineProperty(String.prototype, 'normalize', own)
  },
}
export const driveFaults: readonly Fault[] = [
  {
    name: 'Cancel does not stop a download',
    model: drive,
    state: 'downloading',
    stimulus: 'presses Cancel',
    says: /the answer of a cancelled download: 200/,
    tamper: part(
      ['drive', 'download'],
      changed(({ downloading }) => delete downloading!.on['cancel']),
    ),
  },
  {
    name: 'a failed download is taken for a file',
    model: drive,
    state: 'open folder',
    stimulus: 'downloads, and the file is refused as gone',
    says: /That's an error\.: 0, not 1/,
    tamper: answered(file, 404, 200),
  },
  {
    name: 'a removed file stays in the tree',
    model: drive,
    state: 'message over a removed file',
    stimulus: 'dismisses the message',
    says: /rows: /,
    tamper: part(
      ['drive', 'download'],
      changed(({ downloading }) => (downloading!.invoke.onError = 'failed')),
    ),
  },
  {
    name: 'a file that failed cannot be told from the others',
    model: drive,
    state: 'message over failed download',
    stimulus: 'dismisses the message',
    says: /Download Guía\.txt: 1, not 0/,
    tamper: part(
      ['drive', 'download'],
      changed(({ downloading }) => (downloading!.invoke.onError = 'idle')),
    ),
  },
  {
    name: 'a 401 of a download is swallowed',
    model: drive,
    state: 'open folder',
    stimulus: 'downloads, and the session has ended',
    says: /this is not the login/,
    tamper: answered(file, 401, 500),
  },
  {
    name: 'the filter hides matches',
    model: drive,
    state: 'closed tree',
    stimulus: 'filters by a name',
    says: /rows: \[\]/,
    tamper: accents,
  },
  {
    name: 'a drive that failed looks like an empty one',
    model: drive,
    state: 'message over failed tree',
    stimulus: 'dismisses the message',
    says: /'The shared drive could not be loaded' is not said/,
    tamper: part(['drive', 'manifest'], mute('load', [])),
  },
  {
    name: 'what was downloaded is not saved',
    model: drive,
    state: 'open folder',
    stimulus: 'downloads',
    says: /saved files: \[\]/,
    tamper: part(['drive', 'download'], acting('saveFile')),
  },
  {
    name: 'the keyboard downloads nothing',
    model: drive,
    state: 'open folder',
    stimulus: 'downloads by the key',
    says: /saved files: \[\]/,
    tamper: heard(
      'document',
      'keydown',
      (event) => (event as KeyboardEvent).key === 'Enter' && event.stopImmediatePropagation(),
    ),
  },
  {
    name: 'Try again does nothing',
    model: drive,
    state: 'failed tree',
    stimulus: 'tries again',
    says: /rows: \[\]/,
    tamper: pressed('Try again'),
  },
]
