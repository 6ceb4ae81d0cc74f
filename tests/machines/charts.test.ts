import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { machineFiles } from '../mbt/machines.ts'
import { toMermaid } from '../mbt/mermaid.ts'
import { read } from '../structure.ts'

const files = await machineFiles()

describe('docs/machines', () => {
  it.each(files.map((file) => [file.name, file] as const))(
    '%s.mmd shows the machine as it is (`npm run charts` draws it anew)',
    (name, { machine }) => {
      expect(read(`docs/machines/${name}.mmd`)).toBe(toMermaid(machine))
    },
  )

  it('holds a chart for every machine, none besides, and a line about each', () => {
    const folder = fileURLToPath(new URL('../../docs/machines', import.meta.url))
    const charts = readdirSync(folder)
      .filter((file) => file.endsWith('.mmd'))
      .sort()
    expect(charts).toEqual(files.map(({ name }) => `${name}.mmd`))
    const told = [...read('docs/machines/README.md').matchAll(/^## \[(.+)\]\(\1\.mmd\)$/gm)].map(
      ([, name]) => name,
    )
    expect(told.sort()).toEqual(files.map(({ name }) => name))
  })
})
