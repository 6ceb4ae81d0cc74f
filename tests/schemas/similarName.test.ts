import { expect, test } from 'vitest'
import { similarName } from '../../schemas/imports/similarName.ts'

const known = ['Fathom', 'Iris Pay', 'TSYS', 'ABC']

test.each<[name: string, similar: string | null]>([
  ['Fathm', 'Fathom'],
  ['Fathomm', 'Fathom'],
  ['Fathon', 'Fathom'],
  ['Vathom', 'Fathom'],
  ['Fahtom', 'Fathom'],
  ['fathom.', 'Fathom'],
  ['IrisPay', 'Iris Pay'],
  ['iris-pay', 'Iris Pay'],
  ['TSIS', 'TSYS'],
  ['TSY', 'TSYS'],
  // Of three letters one makes another name.
  ['ABD', null],
  ['A.B.C.', 'ABC'],
  ['Fahtmo', null],
  ['Fahxom', null],
  ['Fathhhom', null],
  ['Fth', null],
  ['Fathom East', null],
  ['', null],
])('the name %s is almost the known name %s', (name, similar) => {
  expect(similarName(name, known)).toBe(similar)
})
