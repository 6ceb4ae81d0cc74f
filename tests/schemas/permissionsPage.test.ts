import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { permissions, permissionWords } from '../../schemas/permissions.ts'
import { projectFolder } from '../../server/config/projectFolder.ts'

const page = readFileSync(join(projectFolder, 'docs/product/permissions.md'), 'utf8')
const heading = (number: number) => page.split(/^## /m)[number]!

test('the page of permissions names each permission once, in their order', () => {
  const list = /^- ([a-z_,\s]+), in this order\.$/m.exec(heading(1))![1]!
  expect(list.split(/,\s+/)).toEqual([...permissions])
})

test('the page of permissions says of each permission what it opens', () => {
  const rows = [...heading(3).matchAll(/^\| ([a-z]+_[a-z_]+) \|/gm)].map(([, name]) => name)
  expect(rows.toSorted()).toEqual([...permissions].toSorted())
})

test('the page of permissions says the words of each permission', () => {
  const rows = [...heading(14).matchAll(/^\| ([a-z_]+) \| (.+) \|$/gm)].map(([, name, words]) => [
    name,
    words,
  ])
  expect(rows).toEqual(Object.entries(permissionWords))
})
