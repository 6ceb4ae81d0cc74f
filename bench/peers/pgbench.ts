import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Contender } from '../case.ts'
import type { Environment } from '../environment.ts'
import { cpuMillis, type Root } from '../measure.ts'

let isThere: boolean | undefined
/** Whether pgbench of PostgreSQL is on this machine. */
export const hasPgbench = (): boolean =>
  (isThere ??= spawnSync('pgbench', ['--version'], { stdio: 'ignore' }).status === 0)

/**
 * What pgbench makes of a statement, prepared; no contender where there is none, nor in the
 * short form, because it runs for a second at least. `head` sets its variables.
 */
export function measurePgbench(it: Environment, statement: string, head = ''): Contender[] {
  if (it.isShort || !hasPgbench()) return []
  const script = join(it.folder, `${Math.random().toString(36).slice(2)}.sql`)
  writeFileSync(script, `${head}${statement.replaceAll('\n', ' ')};\n`)
  return [{ name: 'pgbench', sample: (millis) => samplePgbench(it, script, millis) }]
}

async function samplePgbench(it: Environment, script: string, millis: number) {
  const roots: Root[] = [it.pids.postgres, 'ended']
  const startCpu = cpuMillis(roots)
  const seconds = String(Math.max(1, Math.round(millis / 1000)))
  const options = [
    '--no-vacuum',
    '--protocol=prepared',
    '--client=4',
    `--time=${seconds}`,
    `--file=${script}`,
  ]
  const run = spawn('pgbench', [...options, it.url], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [run.stdout, run.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (said += text))
  await new Promise((closed) => run.once('close', closed))
  const count = Number(/transactions actually processed: (\d+)/.exec(said)?.[1])
  if (!(count > 0)) throw new Error(`pgbench failed: ${said}`)
  const rate = Number(/tps = ([\d.]+)/.exec(said)?.[1])
  return { cpu: (cpuMillis(roots) - startCpu) / count, rate }
}
