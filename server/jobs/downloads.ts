import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import type { Config } from '../config/config.ts'
import { isFullDisk } from '../http/errors.ts'
import { createDiskQuota, megabytesOf, fullDiskError } from './diskQuota.ts'
import { tap } from './tap.ts'
import { temporaryFiles } from './temporaryFiles.ts'

/** A file on disk that is to be sent once. `size` is in bytes. */
export type Download = { path: string; size: number; remove(): Promise<void> }

/** Writes answers completely to disk before they are sent (operations 15). */
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

/** The number of checks within the limit whether the reader has made progress. */
const checksPerLimit = 8

export function createDownloads(settings: Settings): Downloads {
  const { newPath } = temporaryFiles(settings.dataDir, 'download')
  const quotaOf = createDiskQuota({
    folder: join(settings.dataDir, 'tmp'),
    limit: settings.downloadLimit,
    freeDiskMb: settings.importLimits.freeDiskMb,
    tooMany:
      `Your downloads that were not taken yet fill the ${megabytesOf(settings.downloadLimit)} that one ` +
      'person may have. Take them or cancel them, then try again.',
  })

  return {
    async write(user, chunks, signal) {
      const path = await newPath()
      const quotaUse = quotaOf(user)
      const download: Download = {
        path,
        size: 0,
        async remove() {
          quotaUse.free()
          await rm(path, { force: true })
        },
      }
      try {
        const file = await open(path, 'wx', 0o600)
        const measure = (chunk: Buffer | string) => {
          const bytes = Buffer.byteLength(chunk)
          download.size += bytes
          return quotaUse.take(bytes)
        }
        await pipeline(tap(chunks, measure), file.createWriteStream(), { signal })
        return download
      } catch (error) {
        await download.remove()
        signal.throwIfAborted()
        throw isFullDisk(error as { code?: string }) ? fullDiskError(settings.importLimits.freeDiskMb) : error
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

/** Ends an answer whose content was not read for so many seconds. Returns a function that stops the watch. */
function cutWhenStalled(content: { bytesRead: number }, reply: FastifyReply, seconds: number): () => void {
  let read = 0
  let idleChecks = 0
  const timer = setInterval(
    () => {
      idleChecks = content.bytesRead === read ? idleChecks + 1 : 0
      read = content.bytesRead
      if (idleChecks >= checksPerLimit) reply.raw.destroy()
    },
    (seconds * 1000) / checksPerLimit,
  )
  return () => clearInterval(timer)
}
