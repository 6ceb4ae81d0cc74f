import { mkdirSync, writeFileSync } from 'node:fs'
import { machineFiles } from './machines.ts'
import { toMermaid } from './mermaid.ts'

// npm run charts: draws docs/machines/*.mmd anew.
const folder = new URL('../../docs/machines/', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const { name, machine } of await machineFiles())
  writeFileSync(new URL(`${name}.mmd`, folder), toMermaid(machine))
