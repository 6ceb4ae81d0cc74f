import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
const isReader = (pid: string) => {
  const parent = textOf(`/proc/${pid}/stat`).split(') ')[1]?.split(' ')[1]
  return (
    Number(parent) === process.pid && /(process|server)\/reader\.(ts|js)/.test(textOf(`/proc/${pid}/cmdline`))
  )
}

/** The processes that read files for this one (Linux). */
export const readers = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isReader(name))
    .map(Number)

/** The names of the variables a process was given. */
export const variablesOf = (pid: number): string[] =>
  textOf(`/proc/${pid}/environ`)
    .split('\0')
    .flatMap((pair) => pair.split('=')[0] || [])

/** The network connections a process holds. */
export function connectionsOf(pid: number): string[] {
  const own = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
    } catch {
      return []
    }
  })
  const lines = ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((table) =>
    textOf(`/proc/${pid}/net/${table}`).split('\n').slice(1),
  )
  return lines.filter((line) => own.includes(line.trim().split(/\s+/)[9] ?? ''))
}
