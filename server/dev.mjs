// `npm run dev`: the server and the portal, each reloading when its sources change; Ctrl-C ends both.
import { spawn } from 'node:child_process'
import { checkNode, root, install } from './install.mjs'

checkNode()
install({ all: true })
// In process groups of their own, the children get one signal, from here: a second one, from the terminal or
// from npm, would make the server exit at once.
const run = (...args) =>
  spawn(process.execPath, args, {
    cwd: root,
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
