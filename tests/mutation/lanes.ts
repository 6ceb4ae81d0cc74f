import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Asked, RunResult, TestFile } from './lane.ts'
import { endProcessesIn, read, write } from './tree.ts'

const here = dirname(fileURLToPath(import.meta.url))
/** Seconds for the start of PostgreSQL and Vite, and for every request to the process besides its tests. */
const startTimeout = 120
/** Seconds in which the process ends in order; then it is killed. */
const closeTimeout = 20

type Settings = { root: string; temporary: string; config?: string; recordAs?: string }

/**
 * One copy of the project with a process that runs tests in it. A process that does not answer is ended, and
 * the next call has a new one; it begins, and makes the database of the tests, before a changed file is put
 * in place.
 */
export class Lane {
  readonly root: string
  readonly #settings: Settings
  #child: ChildProcess | null = null
  #changed: { file: string; before: string; after: string } | null = null
  isClosed = false

  constructor(settings: Settings) {
    this.#settings = settings
    this.root = settings.root
  }

  async testFiles(): Promise<TestFile[]> {
    await this.#begin()
    return this.#ask<TestFile[]>({ ask: 'files' }, startTimeout)
  }

  /** Runs test files up to the first failure. `seconds` is when their worker is ended. */
  async run(files: readonly TestFile[], seconds: number): Promise<RunResult> {
    await this.#begin()
    const result = await this.#ask<RunResult>({ ask: 'run', files, seconds }, seconds + startTimeout)
    if (result.isLate && this.#child) endProcessesIn(this.root, [this.#child.pid!])
    return result
  }

  /** Does some work with a changed file, and puts the file back. */
  async with<T>(file: string, after: string, work: () => Promise<T>): Promise<T> {
    this.#changed = { file, before: read(this.root, file), after }
    await this.#put(file, after)
    try {
      return await work()
    } finally {
      const { before } = this.#changed
      this.#changed = null
      await this.#put(file, before)
    }
  }

  async close() {
    this.isClosed = true
    if (this.#child) await this.#ask({ ask: 'close' }, closeTimeout).catch(() => {})
    await this.#end()
  }

  async #begin() {
    if (this.isClosed) throw new Error('the copy of the project is closed')
    if (this.#child) return
    const changed = this.#changed
    if (changed) write(this.root, changed.file, changed.before)
    await this.#ask({ ask: 'setup' }, startTimeout)
    if (changed) await this.#put(changed.file, changed.after)
  }

  async #put(file: string, text: string) {
    write(this.root, file, text)
    // A process that fails to forget the file has been ended; the next one reads it anew.
    if (this.#child)
      await this.#ask({ ask: 'forget', path: join(this.root, file) }, startTimeout).catch(() => {})
  }

  async #end() {
    const child = this.#child
    this.#child = null
    if (!child) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    const killTimer = setTimeout(() => child.kill('SIGKILL'), 5_000)
    if (child.exitCode === null && child.signalCode === null) await ended
    clearTimeout(killTimer)
    endProcessesIn(this.root, [])
  }

  #start(): ChildProcess {
    const {
      root,
      temporary,
      config = join(root, 'tests/mutation/vitest.config.ts'),
      recordAs,
    } = this.#settings
    mkdirSync(temporary, { recursive: true })
    const env = { ...process.env, TMPDIR: temporary, TEMP: temporary }
    // Vitest in Vitest would take these for its own.
    for (const name of Object.keys(env))
      if (/^(VITEST|TEST|NODE_ENV|READER|CHROMIUM)/.test(name)) delete (env as Record<string, unknown>)[name]
    const tsx = pathToFileURL(join(here, '../../node_modules/tsx/dist/loader.mjs')).href
    const args = [root, config, ...(recordAs ? [recordAs] : [])]
    return fork(join(here, 'lane.ts'), args, {
      cwd: root,
      env,
      execArgv: ['--import', tsx],
      stdio: ['ignore', 'ignore', process.env['MUTANTS_DEBUG'] ? 'inherit' : 'ignore', 'ipc'],
    })
  }

  /** Throws when the process says so, ends, or does not answer in time; then the process is no more. */
  async #ask<T>(asked: Asked, seconds: number): Promise<T> {
    const child = (this.#child ??= this.#start())
    try {
      return await new Promise<T>((resolve, reject) => {
        const clock = setTimeout(() => reject(new Error(`no answer within ${seconds} s`)), seconds * 1000)
        const done = () => {
          clearTimeout(clock)
          child.off('message', hear)
          child.off('exit', leave)
        }
        const hear = (answer: unknown) => {
          const { value, error } = answer as { value?: T; error?: string }
          done()
          if (error === undefined) resolve(value as T)
          else reject(new Error(error))
        }
        const leave = () => {
          done()
          reject(new Error('the process that runs the tests has ended'))
        }
        child.on('message', hear)
        child.once('exit', leave)
        child.send(asked, (error) => error && reject(error))
      })
    } catch (error) {
      await this.#end()
      throw error
    }
  }
}
