import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { comesTrue, expectThat, newOutcome, type Fault } from '../fault.ts'
import { startOffice, type Office } from '../office.ts'

const readers = 100
/** Rows of the report: a file of 18 MB, more than the sockets between portal and reader hold. */
const rows = 40_000
/**
 * Milliseconds in which the portal ends: 10 s for what is under way, and those of the database (operations
 * 5).
 */
const limit = 20_000

/** A reader that takes a kilobyte at a time. `end` resolves with what the reader knows of its file. */
type Reader = {
  status: number
  /** Bytes taken. */
  size(): number
  end: Promise<'whole' | 'cut'>
  /** Takes all that has arrived, which is more than a slow reader took. */
  finish(): void
}

async function startReader({ portal }: Office): Promise<Reader> {
  const path = '/api/v1/report/equipment-outstanding/export?format=csv'
  const headers = { ...portal.headers(), 'content-type': 'application/json' }
  const asked = request(portal.url + path, { method: 'POST', agent: false, headers })
  asked.on('error', () => {}).end('{}')
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.on('error', () => {}).on('readable', () => {})
  const end = new Promise<'whole' | 'cut'>((ended) => {
    answer.once('close', () => ended(answer.complete ? 'whole' : 'cut'))
  })
  let size = 0
  const trickle = setInterval(() => {
    size += (answer.read(1024) as Buffer | null)?.length ?? 0
  }, 200)
  return {
    status: answer.statusCode!,
    size: () => size,
    end,
    finish() {
      clearInterval(trickle)
      answer.removeAllListeners('readable')
      answer.on('data', (chunk: Buffer) => void (size += chunk.length)).resume()
    },
  }
}

/** The bytes of the file that every reader asks for. */
async function sizeOf({ portal }: Office): Promise<number> {
  const reply = await fetch(`${portal.url}/api/v1/report/equipment-outstanding/export?format=csv`, {
    method: 'POST',
    headers: { ...portal.headers(), 'content-type': 'application/json' },
    body: '{}',
  })
  return (await reply.arrayBuffer()).byteLength
}

export const slowDownloads: Fault = {
  name: 'sigterm',
  what: `${readers} slow downloads at a SIGTERM: each is complete or reported as cut off, and the process ends`,
  rounds: 1,
  async run({ folderWithDatabase }, rounds) {
    const outcome = newOutcome()
    const data = await folderWithDatabase()
    for (let round = 0; round < rounds; round++) {
      const office = await startOffice(data, { DOWNLOAD_LIMIT_MB: '4000' })
      if (round === 0)
        await office.db.query(
          `insert into equipment (model, serialnumber, soldfor) select repeat('T', 400), 'big ' || n, 1 from generate_series(1, $1::int) n`,
          [rows],
        )
      const size = await sizeOf(office)
      const all: Reader[] = []
      for (let count = 0; count < readers; count++) all.push(await startReader(office))
      outcome.tried += all.length
      outcome.acknowledged += all.filter(({ status }) => status === 200).length
      await office.db.close()
      const { process: server, ended } = office.portal.child
      const told = performance.now()
      server.kill('SIGTERM')
      const code = await Promise.race([ended, new Promise((late) => setTimeout(late, 2 * limit))])
      expectThat(outcome, code === 0, `the process ended with ${String(code)}`)
      expectThat(
        outcome,
        performance.now() - told < limit,
        `the process took more than ${limit / 1000} s to end`,
      )
      for (const reader of all) reader.finish()
      let cut = 0
      for (const reader of all) {
        const end = await Promise.race([
          reader.end,
          new Promise<null>((late) => setTimeout(late, 5_000, null)),
        ])
        outcome.found += end === null ? 0 : 1
        cut += end === 'cut' ? 1 : 0
        outcome.half += end === 'whole' && reader.size() !== size ? 1 : 0
      }
      expectThat(outcome, cut > 0, 'no download was under way when the signal came')
      const left = () => readdirSync(join(data, 'tmp')).length
      expectThat(outcome, await comesTrue(() => left() === 0, 1_000), `${left()} files stayed in tmp`)
    }
    return outcome
  },
}
