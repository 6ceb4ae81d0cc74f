import { spawn, spawnSync } from 'node:child_process'
import { createReadStream, openAsBlob, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { from } from 'pg-copy-streams'
import { portfolioCsv, portfolioXlsx } from '../../tests/files/portfolio.ts'
import { type Area, type Case, type Contender, type Figures, least, most } from '../case.ts'
import type { Environment } from '../environment.ts'
import { type Root, sampleOnce } from '../measure.ts'

const rowsOf = ({ isShort }: Environment) => (isShort ? 3_000 : 200_000)

/** What is in the table: nothing, the rows of the file, those of the changed file, or those of COPY. */
type State = 'empty' | 'imported' | 'changed' | 'copied'
type Imports = {
  rows: number
  path(name: string): string
  portal: readonly Root[]
  /** Brings the table into a state. */
  become(state: State): Promise<void>
  /** Imports a file by the portal as a person does; answers the number of the import. */
  send(name: string): Promise<void>
  undo(): Promise<void>
  copy(): Promise<void>
  state: State
}

const known = new WeakMap<Environment, Promise<Imports>>()
/** The files of the imports and what is in the table, made once for each size. */
const importsOf = (it: Environment): Promise<Imports> => {
  if (!known.has(it)) known.set(it, prepareImports(it))
  return known.get(it)!
}

const hasPsql = () => spawnSync('psql', ['--version'], { stdio: 'ignore' }).status === 0

async function prepareImports(it: Environment): Promise<Imports> {
  const rows = rowsOf(it)
  const path = (name: string) => join(it.folder, name)
  const text = [...portfolioCsv(rows)].join('')
  writeFileSync(path('new.csv'), text)
  writeFileSync(path('changed.csv'), text.replaceAll(',Approved,', ',Pending,'))
  writeFileSync(path('rows.xlsx'), portfolioXlsx(rows))
  const isPsqlThere = hasPsql()
  let batch = 0
  let columns: string[] = []
  const self: Imports = {
    rows,
    path,
    portal: [it.pids.portal, it.pids.postgres],
    state: 'empty',
    async become(state) {
      if (self.state === state) return
      if (state === 'changed') {
        await self.become('imported')
        await self.send('changed.csv')
      } else {
        await it.db.query('truncate merchant cascade')
        await it.db.query('truncate merchant_count')
        if (state === 'imported') await self.send('new.csv')
      }
      self.state = state
    },
    async send(name) {
      const form = new FormData()
      form.append(name, await openAsBlob(path(name)), name)
      const { headers } = await it.signedIn('admin')
      const { 'content-type': _, ...others } = headers
      const url = `${it.portal.address}/api/v1/file/merchant?again=1`
      const answer = await fetch(url, { method: 'POST', headers: others, body: form })
      if (!answer.ok) throw new Error(`${name} was not imported: ${await answer.text()}`)
      batch = ((await answer.json()) as { batch: number }).batch
    },
    async undo() {
      await it.call('admin', `/api/v1/file/merchant/${batch}/undo`, { method: 'POST', body: '{}' })
    },
    async copy() {
      const statement = `copy merchant (${columns.join(', ')}) from`
      const file = path('rows.copy')
      if (isPsqlThere) return runPsql(it.url, `\\${statement} '${file}'`)
      await it.db.transaction(({ client }) =>
        pipeline(
          createReadStream(file, { highWaterMark: 131_072 }),
          client.query(from(`${statement} stdin`)),
        ),
      )
    },
  }
  await self.become('imported')
  columns = await writeCopyFile(it, path('rows.copy'), rows)
  return self
}

async function runPsql(url: string, command: string): Promise<void> {
  const run = spawn('psql', ['--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1', '--command', command, url], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  run.stderr.setEncoding('utf8').on('data', (text: string) => void (said += text))
  const status = await new Promise((closed) => run.once('close', closed))
  if (status !== 0) throw new Error(`psql failed: ${said}`)
}

/** Writes the stored rows in the format of COPY; answers their columns. */
async function writeCopyFile(it: Environment, file: string, rows: number): Promise<string[]> {
  const columns = (
    await it.db.query<{ name: string }>(
      `select column_name as name from information_schema.columns
        where table_name = 'merchant' and is_generated = 'NEVER' and is_identity = 'NO'
        order by ordinal_position`,
    )
  ).map(({ name }) => name)
  const line = `concat_ws(E'\\t', ${columns.map((it) => `coalesce(${it}::text, '\\N')`).join(', ')})`
  const written = await it.db.query<{ line: string }>(`select ${line} as line from merchant order by id`)
  if (written.length !== rows) throw new Error(`${written.length} of ${rows} rows were imported`)
  writeFileSync(file, written.map(({ line: one }) => `${one}\n`).join(''))
  return columns
}

/** COPY of the same rows into the same empty table, by psql where it is there. */
const copying = (it: Imports, postgres: number): Contender => ({
  name: 'copy',
  prepare: () => it.become('empty'),
  sample: async () => {
    it.state = 'copied'
    return sampleOnce(['self', 'ended', postgres], () => it.copy(), it.rows)
  },
})

type Step = { before: State; after: State; work(it: Imports): Promise<void> }
const importing = (name: string, share: number, { before, after, work }: Step): Case => ({
  name,
  goals: [least('rate', share, { of: 'copy' })],
  async contenders(environment) {
    const it = await importsOf(environment)
    const portal: Contender = {
      name: 'portal',
      prepare: () => it.become(before),
      sample: async () => {
        const figures = await sampleOnce(it.portal, () => work(it), it.rows)
        it.state = after
        return figures
      },
    }
    return [portal, copying(it, environment.pids.postgres)]
  },
})

/** Reads a workbook in one of the ways of bench/peers/reading.ts, in a process of its own. */
const reading = (name: string, way: string, path: string): Contender => ({
  name,
  sample: async (): Promise<Figures> => {
    const program = ['--import', 'tsx', join(import.meta.dirname, '../peers/reading.ts'), way, path]
    const { stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' })
    if (!stdout) throw new Error(stderr)
    const { seconds, megabytes } = JSON.parse(stdout) as { seconds: number; megabytes: number }
    return { cpu: seconds * 1000, memory: megabytes }
  },
})

/** Imports of 200,000 merchants of 24 columns into an empty portfolio; 20,000 in the short form. */
export const imports: Area = {
  name: 'Imports',
  where: 'empty',
  cases: [
    importing('import of new rows', 0.75, {
      before: 'empty',
      after: 'imported',
      work: (it) => it.send('new.csv'),
    }),
    // Before the import of unchanged rows, because the newest import is undone.
    importing('undo of new rows', 1, { before: 'imported', after: 'empty', work: (it) => it.undo() }),
    importing('import of unchanged rows', 1.5, {
      before: 'imported',
      after: 'imported',
      work: (it) => it.send('new.csv'),
    }),
    importing('import with one field changed', 0.6, {
      before: 'imported',
      after: 'changed',
      work: (it) => it.send('changed.csv'),
    }),
    importing('undo of one field changed', 1, {
      before: 'changed',
      after: 'imported',
      work: (it) => it.undo(),
    }),
    {
      name: 'reading a workbook',
      goals: [most('cpu', 3, { of: 'inflate' }), most('memory', 300)],
      async contenders(environment) {
        const path = (await importsOf(environment)).path('rows.xlsx')
        return [
          reading('portal', 'cells', path),
          reading('inflate', 'unpack', path),
          reading('yauzl and saxes', 'libraries', path),
        ]
      },
    },
  ],
}
