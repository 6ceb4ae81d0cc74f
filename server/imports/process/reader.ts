import { answerRequest } from './readerMessage.ts'
import type { ReadRequest, RecogniseRequest } from './readImport.ts'

/**
 * The reading process. It gets one request as a message, writes the rows to its standard output, sends one
 * ReaderMessage and ends. It has no database, no secrets, and limits on memory and time (imports 4).
 */
const writeRows = (text: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })

// When the server dies, the process would otherwise read on.
process.on('disconnect', () => process.exit(1))
process.once('message', (request: ReadRequest | RecogniseRequest) => {
  void answerRequest(request, writeRows).then((message) => process.send!(message, () => process.disconnect()))
})
