import { parseArgs } from 'node:util'
import { readConfig } from '../config/config.ts'
import { isFullDisk } from '../http/errors.ts'
import { commands } from './commands.ts'

const [name = '', ...words] = process.argv.slice(2)

// Every failure ends with a sentence for a person and exit code 1 (operations 17).
try {
  const command = commands[name]
  if (!command) throw new Error(`There is no command '${name}': ${Object.keys(commands).join(', ')}`)
  const { values, positionals } = parseArgs({ args: words, options: command.options, allowPositionals: true })
  if (positionals.length !== command.names.length)
    throw new Error(`Say npm run ${name} -- ${[...command.names, ...command.usage].join(' ')}`)
  const config = readConfig(process.env)
  await command.run({ config, env: process.env, names: positionals, values, print })
} catch (error) {
  process.stderr.write(`${describe(error as NodeJS.ErrnoException)}\n`)
  process.exitCode = 1
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}

/** The system's own words name neither a disk nor a folder. */
function describe(error: NodeJS.ErrnoException): string {
  const { code, message } = error
  return isFullDisk(error)
    ? `There is no room left on the disk of the data folder: make room there (${code})`
    : message
}
