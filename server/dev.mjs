// `npm run dev`: the server and the portal, each reloading when its sources change; Ctrl-C ends both.
import { spawn } from 'node:child_process'
import { checkNode, home, install } from './install.mjs'

checkNode()
install({ all: true })
// Groups of their own, and told once: a second signal, from the terminal or from npm, would cut the server off in the middle of ending.
const run = (...args) =>
  spawn(process.execPath, args, {
    cwd: home,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
  })
const children = [
  run(
    'node_modules/tsx/dist/cli.mjs',
    'watch',
    '--clear-screen=false',
    '--include=server/db/migrations/*.sql',
    'server/main.ts',
  ),
  run('node_modules/vite/bin/vite.js'),
]

let ending = false
function end() {
  if (ending) return
  ending = true
  for (const child of children) if (child.exitCode === null) child.kill('SIGTERM')
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end)
for (const child of children) {
  child.on('exit', (code) => {
    if (!ending) process.exitCode = code ?? 1
    end()
  })
}
