import { access } from 'node:fs/promises'
import type { InboxAsks } from '../../schemas/api/inbox/inbox.ts'
import type { ImportAsks } from '../../schemas/imports/answers.ts'
import { imports, type ImportName, type ImportReply, type Preview } from '../../schemas/imports/imports.ts'
import { importRefusal } from '../../schemas/imports/kinds.ts'
import type { Viewer } from '../../schemas/permissions.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import { HttpError } from '../http/errors.ts'
import { importFile, type OnStored } from '../imports/importFile.ts'
import { storedHeadings } from '../imports/mapping/savedMappings.ts'
import { recogniseInChildProcess } from '../imports/process/child.ts'
import { limitImports } from '../imports/process/turns.ts'
import type { Recognised } from '../imports/rows/recognise.ts'
import { inCallersTurn } from '../jobs/callersTurn.ts'
import { copyPath } from './copies.ts'
import { outgrownCode } from './originals.ts'
import type { Finding, StoredFile } from './rows.ts'

/** Under whose rights a file is read: a caller's, or those of the house for `viewer` null (inbox 9). */
export type Reader = {
  viewer: Viewer | null
  userid: number | null
  username: string
  scope: number[] | null
  address: string
  /** The reader by session and rights when a turn has come (session 6). Throws a ReaderRefused. */
  authorizeAgain: () => Promise<Reader>
}

/** The person who reads a file was refused; this says nothing about the file. */
export class ReaderRefused extends HttpError {}

export type InboxWork = { db: Db; config: Config; file: StoredFile; reader: Reader; signal: AbortSignal }

/** The code of the 409 that ends an import whose claim ran out: it says nothing of the file. */
export const takenOverCode = 'takenover'

const nothingFound: Finding = {
  state: 'refused',
  kind: null,
  month: null,
  processor: null,
  asks: null,
  preview: null,
  faults: null,
  message: null,
  repeated: null,
}

/** What keeps a file from being imported, in a sentence. */
export type Refusal = Finding & { message: string }

/** Works on the copy of a file. Throws an HttpError (409) when it is not on the disk of this process. */
async function copyOf({ config, file }: InboxWork): Promise<string> {
  const path = copyPath(config, file.sha256)
  await access(path).catch(() => {
    throw new HttpError(
      409,
      `The copy of ${file.filename} is not on the disk of the portal any more. ` +
        'Dismiss it and add the file again.',
    )
  })
  return path
}

/**
 * The kind that was answered, recognised or named with the file, or what is to be asked (inbox 4), and who
 * reads it then.
 */
async function findKind(
  { db, file, reader, config, signal }: InboxWork,
  path: string,
): Promise<{ kind: ImportName | Recognised; reader: Reader }> {
  if (file.answers.kind) return { kind: file.answers.kind, reader }
  const saved = await storedHeadings(db)
  const request = { path, filename: file.filename, limits: config.importLimits, saved }
  const requester = { caller: reader, authorizeAgain: reader.authorizeAgain }
  const recognise = async (now: Reader) => {
    const found = await recogniseInChildProcess(request, signal)
    if (found.candidates.length === 0 && file.kind) return { kind: file.kind, reader: now }
    return { kind: found.candidates.length === 1 ? found.candidates[0]! : found, reader: now }
  }
  return inCallersTurn(limitImports, requester, recognise, { signal })
}

const kindQuestion = (found: Recognised) =>
  found.candidates.length > 1
    ? 'The file may be of several kinds. Which one is it?'
    : 'The heading of the file belongs to no kind that is known. Which one is it?'

/** What is asked before a file can be read, or the kind that it is read as. */
async function settleKind(
  work: InboxWork,
  path: string,
): Promise<{ kind: ImportName; reader: Reader } | Refusal> {
  const { kind, reader } = await findKind(work, path)
  if (typeof kind !== 'string')
    return { ...nothingFound, state: 'asks', asks: { kind }, message: kindQuestion(kind) }
  const { viewer } = reader
  const refusal = viewer && importRefusal(imports[kind], viewer)
  if (refusal) return { ...nothingFound, kind, message: `${refusal}.` }
  if ('dated' in imports[kind] && !work.file.answers.date)
    return {
      ...nothingFound,
      kind,
      state: 'asks',
      asks: { date: true },
      message: 'Of which day is the file?',
    }
  return { kind, reader }
}

/** The reader when the turn of an import has come, who must still be allowed to import this kind. */
const authorizeSender =
  ({ authorizeAgain }: Reader, kind: ImportName) =>
  async () => {
    const reader = await authorizeAgain()
    const refusal = reader.viewer && importRefusal(imports[kind], reader.viewer)
    if (refusal) throw new ReaderRefused(403, refusal)
    return reader
  }

/** The import or the dry run of a file whose kind is settled. */
const runImport = (
  { db, config, file, reader, signal }: InboxWork,
  kind: ImportName,
  path: string,
  more: { dryrun: boolean; again?: boolean; onStored?: OnStored },
) =>
  importFile({
    db,
    kind,
    path,
    filename: file.filename,
    size: file.size,
    sha256: file.sha256,
    date: 'dated' in imports[kind] ? (file.answers.date ?? null) : null,
    answers: file.answers,
    address: reader.address,
    sender: reader,
    authorizeAgain: authorizeSender(reader, kind),
    config,
    limits: config.importLimits,
    signal,
    ...more,
  })

/** A preview may ask for confirmations, each by its key. */
type AskingPreview = Preview & Pick<ImportAsks, 'questions'>

/** What a preview says of a file: whether it can be imported as it is. */
function findingOf(kind: ImportName, preview: AskingPreview, accepted: readonly string[]): Finding {
  const { month, processor } = preview.source
  const found = { ...nothingFound, kind, month, processor, preview }
  const { rows, more, repeated } = preview
  // A total that differs is a fault, and rejects no row (imports 36).
  if (rows.length > 0) return { ...found, faults: { rows, more } }
  if (repeated) return { ...found, state: 'repeated', repeated }
  const questions = (preview.questions ?? []).filter(({ key }) => !accepted.includes(key))
  return questions.length > 0
    ? { ...found, state: 'asks', asks: { questions } }
    : { ...found, state: 'ready' }
}

/**
 * What a refusal says of a file: its faults, what it asks, or who imported it before. Throws any error that
 * says nothing of the file, such as one of the disk or of the database.
 */
function findingOfRefusal(kind: ImportName | null, error: unknown): Refusal {
  if (!(error instanceof HttpError) || error instanceof ReaderRefused) throw error
  if (![403, 409, 422].includes(error.status)) throw error
  if ([takenOverCode, outgrownCode].includes(String(error.extra['code']))) throw error
  const {
    asks,
    code,
    username,
    importedat,
    subject = null,
    rows,
    more,
  } = error.extra as {
    asks?: InboxAsks
    code?: string
    username?: string
    importedat?: number
    subject?: string | null
    rows?: Preview['rows']
    more?: number
  }
  const faults = rows && rows.length > 0 ? { rows, more: more ?? 0 } : null
  const found = { ...nothingFound, kind, message: error.message, faults }
  if (asks) {
    const { month = null, processor = null } = asks.source ?? {}
    return { ...found, state: 'asks', asks, month, processor }
  }
  if (code === 'repeated' && username !== undefined && importedat !== undefined)
    return { ...found, state: 'repeated', repeated: { username, importedat, subject } }
  return found
}

/**
 * Settles the kind of a file and does `read` with it and its copy. Answers what was found instead when the
 * kind has to be asked for, or the file is refused or asks something. Throws what says nothing of the file:
 * an HttpError of the disk, the database or the connection.
 */
async function withKind<T>(
  work: InboxWork,
  read: (work: InboxWork, kind: ImportName, path: string) => Promise<T>,
): Promise<T | Refusal> {
  let kind: ImportName | null = null
  try {
    const path = await copyOf(work)
    const settled = await settleKind(work, path)
    if (!('reader' in settled)) return settled
    kind = settled.kind
    return await read({ ...work, reader: settled.reader }, kind, path)
  } catch (error) {
    return findingOfRefusal(kind, error)
  }
}

/** Reads a file without storing any of it and says what was found (inbox 4). Throws as `withKind` does. */
export const checkInboxFile = (work: InboxWork): Promise<Finding> =>
  withKind(work, async (current, kind, path) => {
    const preview = (await runImport(current, kind, path, { dryrun: true })) as Preview
    return findingOf(kind, preview, work.file.answers.accepted ?? [])
  })

/**
 * Imports a file; `onStored` is called in the transaction of the import. Answers what was found instead when
 * the file is refused or asks something, and nothing is stored then. Throws as `withKind` does.
 */
export const importInboxFile = (
  work: InboxWork,
  again: boolean,
  onStored: OnStored,
): Promise<ImportReply | Refusal> =>
  withKind(
    work,
    async (current, kind, path) =>
      (await runImport(current, kind, path, { dryrun: false, again, onStored })) as ImportReply,
  )
