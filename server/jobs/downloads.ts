import { createReadStream } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import type { Config } from '../config/config.ts'
import { HttpError } from '../http/errors.ts'
import { temporaryFiles } from './temporaryFiles.ts'

/** A file on disk that is to be sent once. `size` is in bytes. */
export type Download = { path: string; size: number; remove(): Promise<void> }

/** Where answers are written whole before they are sent (operations 15). */
export type Downloads = {
  /**
   * Writes chunks to a file of a user. Throws an HttpError: 429 when the user's files would exceed the limit,
   * 507 without disk space; or the reason of the signal, or what `chunks` throws. Nothing is left then.
   */
  write(user: string, chunks: AsyncIterable<Buffer | string>, signal: AbortSignal): Promise<Download>
  /**
   * Answers a file, whose type and name are in the headers; resolves to whether all of it was taken. It is
   * removed then, and when its reader goes away or takes nothing for as long as the setting allows.
   */
  send(reply: FastifyReply, download: Download): Promise<boolean>
}

type Settings = Pick<Config, 'dataDir' | 'downloadLimit' | 'downloadSeconds' | 'importLimits'>

/** Bytes after which the room on the disk is looked at again. */
const roomInterval = 16_000_000
/** How often within the limit it is looked whether a reader has taken anything. */
const looksPerLimit = 8

export function createDownloads(settings: Settings): Downloads {
  const { newPath } = temporaryFiles(settings.dataDir, 'download')
  /** Bytes on disk by user. */
  const held = new Map<string, number>()
  const hold = (user: string, bytes: number) => {
    const now = (held.get(user) ?? 0) + bytes
    if (now > 0) held.set(user, now)
    else held.delete(user)
    return now
  }

  async function* counted(user: string, download: Download, chunks: AsyncIterable<Buffer | string>) {
    let unchecked = roomInterval
    for await (const chunk of chunks) {
      const bytes = Buffer.byteLength(chunk)
      download.size += bytes
      if (hold(user, bytes) > settings.downloadLimit) throw tooManyBytes(settings)
      unchecked += bytes
      if (unchecked >= roomInterval) await checkRoom(dirname(download.path), settings)
      unchecked %= roomInterval
      yield chunk
    }
  }

  return {
    async write(user, chunks, signal) {
      const path = await newPath()
      let isRemoved = false
      const download: Download = {
        path,
        size: 0,
        async remove() {
          if (isRemoved) return
          isRemoved = true
          hold(user, -download.size)
          await rm(path, { force: true })
        },
      }
      try {
        const file = await open(path, 'wx', 0o600)
        await pipeline(counted(user, download, chunks), file.createWriteStream(), { signal })
        return download
      } catch (error) {
        await download.remove()
        signal.throwIfAborted()
        throw (error as { code?: string }).code === 'ENOSPC' ? noRoom(settings) : error
      }
    },

    send: (reply, download) => send(reply, download, settings.downloadSeconds),
  }
}

async function send(reply: FastifyReply, download: Download, seconds: number): Promise<boolean> {
  const content = createReadStream(download.path)
  const endWatch = cutWhenStalled(content, reply, seconds)
  const closed = new Promise<void>((resolve) => content.once('close', resolve))
  reply.raw.once('close', () => content.destroy())
  if (reply.raw.destroyed) content.destroy()
  void reply.header('content-length', download.size).send(content)
  await closed
  endWatch()
  await download.remove()
  return content.readableEnded
}

/** Ends an answer of whose content nothing was read for so many seconds. Returns how to end the watch. */
function cutWhenStalled(content: { bytesRead: number }, reply: FastifyReply, seconds: number): () => void {
  let read = 0
  let looks = 0
  const timer = setInterval(
    () => {
      looks = content.bytesRead === read ? looks + 1 : 0
      read = content.bytesRead
      if (looks >= looksPerLimit) reply.raw.destroy()
    },
    (seconds * 1000) / looksPerLimit,
  )
  return () => clearInterval(timer)
}

const megabytes = (bytes: number) => `${Math.floor(bytes / 1_000_000).toLocaleString('en-US')} MB`

const tooManyBytes = ({ downloadLimit }: Settings) =>
  new HttpError(
    429,
    `Your downloads that were not taken yet fill the ${megabytes(downloadLimit)} that one person may have. ` +
      'Take them or cancel them, then try again.',
    { retryAfter: 30 },
  )

const noRoom = ({ importLimits }: Settings) => {
  const free = importLimits.freeDiskMb.toLocaleString('en-US')
  return new HttpError(507, `The server has no room for the file: ${free} MB of its disk must stay free.`)
}

/** Throws HttpError 507 when less of the disk is free than must stay so: the database would stop. */
async function checkRoom(folder: string, settings: Settings) {
  const { bavail, bsize } = await statfs(folder)
  if ((bavail * bsize) / 1e6 < settings.importLimits.freeDiskMb) throw noRoom(settings)
}
