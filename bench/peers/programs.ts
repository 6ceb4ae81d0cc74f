import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type Program = { address: string; pid: number; stop(): Promise<void> }

/**
 * Runs a program; its address is in the first line that `pattern` matches. Throws when it ends before that.
 */
export async function startProgram(
  args: readonly string[],
  { env = {}, pattern }: { env?: NodeJS.ProcessEnv; pattern: RegExp },
): Promise<Program> {
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${args.join(' ')} ended before it listened`)))
    createInterface(child.stdout!).on('line', (line) => {
      const [, found] = pattern.exec(line) ?? []
      if (found) resolve(found)
    })
  })
  return { address, pid: child.pid!, stop: () => stopProgram(child) }
}

/** Ends a program; resolves when it has ended. */
export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Runs a program of this folder. */
export const startPeer = (name: string, env: NodeJS.ProcessEnv = {}): Promise<Program> =>
  startProgram(['--import', 'tsx', join(import.meta.dirname, name)], {
    env,
    pattern: /^listening at (\S+)/,
  })
