/**
 * Hours of mixed use: people who list, search, run and download reports and preview imports, some of whom do
 * not take what they asked for, beside sockets that are idle, heads and bodies that do not end. Prints each
 * minute what the server holds and how it answers; ends with 1 when a call failed with 500, or when memory
 * grew. `npx tsx bench/soak.ts [--minutes 480] [--users 20]` (Linux)
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { hashPassword } from '../server/accounts/passwordHash.ts'
import { projectFolder } from '../server/config/projectFolder.ts'
import { median } from './statistics.ts'
import { openBenchDatabase, signIn } from './support.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '480' }, users: { type: 'string', default: '20' } },
})
const [minutes, users] = [Number(values.minutes), Number(values.users)]
/** Megabytes by which the memory of the last quarter may exceed that of the second. */
const allowedGrowth = 100
const password = 'nine tall green lanterns'

const { db, url, folder, close } = await openBenchDatabase('soak')
const dataDir = join(folder, 'portal')
const server = spawn(process.execPath, ['--import', 'tsx', join(projectFolder, 'server/main.ts')], {
  env: { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, PORT: '0', ADMIN_PASSWORD: password },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const address = await new Promise<string>((resolve, reject) => {
  server.once('exit', () => reject(new Error('the portal did not start')))
  createInterface(server.stdout).on('line', (line) => {
    const [, found] = / is open at (\S+)/.exec(line) ?? []
    if (found) resolve(found)
  })
})
await db.query(
  `insert into portal_user (username, password_hash, permissions)
    select 'soak' || n, $1, '{import_files}' from generate_series(1, $2::int) n`,
  [await hashPassword(password), users],
)
await db.query(
  `insert into terms_acceptance (termsid, userid, ipaddress)
    select t.id, u.id, '' from terms t, portal_user u where u.username like 'soak%'`,
)

const residentMb = () =>
  (Number(readFileSync(`/proc/${server.pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 1e6
const openFiles = () => readdirSync(`/proc/${server.pid}/fd`).length
const spooled = () => readdirSync(join(dataDir, 'tmp')).length

let isOver = false
let times: number[] = []
const statuses = new Map<number, number>()
type Headers = Awaited<ReturnType<typeof signIn>>

async function call(headers: Headers, method: string, path: string, body?: string | FormData) {
  const begun = performance.now()
  const { 'content-type': json, ...others } = headers
  const sent = body instanceof FormData ? others : { ...others, 'content-type': json }
  const answer = await fetch(address + path, { method, headers: sent, ...(body !== undefined && { body }) })
  times.push(performance.now() - begun)
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  return answer
}
const read = async (answer: Response) => void (await answer.arrayBuffer())

const file = 'XMID,DBA,Master Agent\nSOAK1,Shop,MA0002\nSOAK2,Shop,MA0003\n'
const actions: ((headers: Headers) => Promise<void>)[] = [
  async (it) => read(await call(it, 'GET', `/api/v1/merchant?page=${1 + Math.floor(Math.random() * 30)}`)),
  async (it) => read(await call(it, 'GET', '/api/v1/merchant?search=an&size=100')),
  async (it) => read(await call(it, 'GET', '/api/v1/profit')),
  async (it) => read(await call(it, 'POST', '/api/v1/report/equipment-outstanding', '{}')),
  async (it) => read(await call(it, 'POST', '/api/v1/report/equipment-outstanding/export', '{}')),
  // Who asks for a file and does not take it.
  async (it) => {
    const answer = await call(it, 'POST', '/api/v1/report/equipment-outstanding/export?format=csv', '{}')
    await sleep(2_000)
    await answer.body?.cancel()
  },
  async (it) => {
    const form = new FormData()
    form.append('soak.csv', new Blob([file]), 'soak.csv')
    await read(await call(it, 'POST', '/api/v1/file/merchant?dryrun=1', form))
  },
]

async function use(number: number) {
  const headers = await signIn(address, `soak${number}`, password)
  while (!isOver) {
    // Of seven actions the imports are the rarest, as they are among people.
    const choice = Math.floor(Math.random() ** 1.5 * actions.length)
    await actions[choice]!(headers).catch(({ message, cause }: Error) =>
      process.stdout.write(
        `action ${choice}: ${message}${cause instanceof Error ? `, ${cause.message}` : ''}\n`,
      ),
    )
    await sleep(500 + Math.random() * 2_500)
  }
}

const beginnings = [
  '',
  'GET / HTTP/1.1\r\nHost: a\r\n',
  'PUT /api/v1/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{',
]
/** Opens a socket and never ends its request; opens another once the portal has closed it. */
async function holdSocketOpen(beginning: string) {
  while (!isOver) {
    const socket: Socket = connect(Number(new URL(address).port), '127.0.0.1')
    socket.on('error', () => {}).on('data', () => {})
    socket.write(beginning)
    const trickle = setInterval(() => beginning && socket.write('x'), 5_000)
    const leaving = setInterval(() => isOver && socket.destroy(), 500)
    await new Promise((closed) => socket.once('close', closed))
    clearInterval(trickle)
    clearInterval(leaving)
  }
}

const working = [
  ...Array.from({ length: users }, (_, at) => use(at + 1)),
  ...beginnings.flatMap((beginning) => Array.from({ length: 10 }, () => holdSocketOpen(beginning))),
]
const memory: number[] = []
for (let minute = 1; minute <= minutes; minute += 1) {
  await sleep(60_000)
  memory.push(residentMb())
  const answered = times
  times = []
  console.log(
    `minute ${minute}: ${memory.at(-1)!.toFixed(0)} MB, ${openFiles()} open files, ${spooled()} on disk, ` +
      `${answered.length} answers, median ${median(answered).toFixed(0)} ms, ` +
      `slowest ${Math.max(...answered).toFixed(0)} ms, ` +
      [...statuses].map(([status, count]) => `${status}: ${count}`).join(', '),
  )
}
isOver = true
await Promise.all(working)
server.kill('SIGTERM')
await once(server, 'exit')
await close()

const quarter = Math.max(1, Math.floor(memory.length / 4))
const growth = median(memory.slice(-quarter)) - median(memory.slice(quarter, 2 * quarter + 1))
if (memory.length >= 4) console.log(`memory grew by ${growth.toFixed(0)} MB after the first quarter`)
const failed = [...statuses].filter(([status]) => status === 500 || status === 503)
if (failed.length > 0 || (memory.length >= 4 && growth > allowedGrowth)) process.exitCode = 1
