// Loaded by every instrumented file: notes each region once per process, at once, for a process may be killed at any time.
// `current` beside `folder` names the test file that runs; the process that runs the global setup names itself.
const { appendFileSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

module.exports = (folder) => {
  const seen = new Set()
  globalThis.__hit = (region) => {
    if (seen.has(region)) return
    seen.add(region)
    const name = globalThis.__recordAs ?? readFileSync(join(folder, 'current'), 'utf8')
    appendFileSync(join(folder, `${name}.hits`), `${region}\n`)
  }
}
