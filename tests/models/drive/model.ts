import { setup } from 'xstate'

/** A person who looks for a file in the shared drive (drive 1). A state is what is on the screen. */
export const driveModel = setup({}).createMachine({
  id: 'a person and the shared drive',
  initial: 'elsewhere',
  states: {
    elsewhere: {
      on: {
        'opens Shared Drive': 'closed tree',
        'opens Shared Drive, and it takes long': 'awaited tree',
        'opens Shared Drive before there is a file': 'no files',
        'opens Shared Drive, and the server fails': 'message over failed tree',
      },
    },
    'awaited tree': { on: { 'the answer comes': 'closed tree' } },
    'no files': { on: { leaves: 'elsewhere' } },
    'message over failed tree': { on: { 'dismisses the message': 'failed tree' } },
    'failed tree': { on: { 'tries again': 'closed tree' } },
    'closed tree': {
      on: {
        'clicks the folder': 'open folder',
        'opens the folder by its key': 'open folder',
        'filters by a name': 'matches',
        'filters by what is not there': 'no matches',
        leaves: 'elsewhere',
      },
    },
    matches: { on: { 'clears the filter': 'closed tree', downloads: 'matches' } },
    'no matches': { on: { 'clears the filter': 'closed tree' } },
    'open folder': {
      on: {
        'clicks the folder': 'closed tree',
        downloads: 'open folder',
        'downloads by the key': 'open folder',
        'downloads, and it takes long': 'downloading',
        'downloads, and the file is refused as gone': 'message over failed download',
        'downloads, and the file was removed': 'message over a removed file',
        'downloads, and the session has ended': 'login',
      },
    },
    downloading: {
      on: {
        'the file comes': 'open folder',
        'presses Cancel': 'open folder',
        'clicks the folder': 'closed tree, downloading',
      },
    },
    'closed tree, downloading': { on: { 'the file comes': 'closed tree' } },
    'message over a removed file': { on: { 'dismisses the message': 'folder without the file' } },
    'folder without the file': { on: { leaves: 'elsewhere' } },
    'message over failed download': { on: { 'dismisses the message': 'failed download' } },
    'failed download': { on: { 'tries the download again': 'open folder' } },
    login: {},
  },
})
