import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bulkEntities } from '../../schemas/api/bulk/bulk.ts'
import type { Endpoint } from '../../schemas/api/endpoint.ts'
import { endpoints } from '../../schemas/api/endpoints.ts'
import { canFind } from '../../schemas/api/find/findText.ts'
import { entities } from '../../schemas/entities/index.ts'
import { wordOfHeading } from '../../schemas/help/headingWords.ts'
import { permissionHelp, wordHelp } from '../../schemas/help/help.ts'
import { reportHelp } from '../../schemas/help/reportHelp.ts'
import { permissions } from '../../schemas/permissions.ts'
import { projectFolder } from '../../server/config/projectFolder.ts'
import { catalogue } from '../../server/reports/catalogue.ts'
import { rows } from '../rights/calls.ts'

const page = (name: string) => readFileSync(join(projectFolder, `docs/product/${name}.md`), 'utf8')
const tableOf = (text: string) =>
  [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, name, says]) => [name, says]).slice(1)

test.each([
  ['words', 1, wordHelp],
  ['reports', 2, reportHelp],
])('the page of help shows the %s of the dialog, in its order', (_, heading, help) => {
  expect(tableOf(page('help').split(/^## /m)[heading]!)).toEqual(Object.entries(help))
  const words = Object.keys(help)
  expect(words).toEqual(words.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)))
})

test('the help has every report of the catalogue, and no other', () => {
  expect(Object.keys(reportHelp).toSorted()).toEqual(catalogue.map(({ name }) => name).toSorted())
})

test('every heading that is a word of the help leads to it, and no heading to a word that it lacks', () => {
  const headings = [
    ...catalogue.flatMap(({ columns }) => columns.map(({ displayname }) => displayname)),
    ...Object.values(entities).flatMap(({ list }) => list.columns.map(({ head }) => head)),
  ]
  expect(headings.filter((it) => Object.hasOwn(wordHelp, it) && wordOfHeading(it) !== it)).toEqual([])
  const led = headings.map(wordOfHeading).filter((word) => word !== null)
  expect(led).toEqual(expect.arrayContaining(['Own', 'Override', 'House', 'Withheld', 'Carry', 'DBA']))
  expect(led.filter((word) => !Object.hasOwn(wordHelp, word))).toEqual([])
})

test.each([
  ['Own', 'Own'],
  ['Withheld', 'Withheld'],
  ['Carried In', 'Carry'],
  ['Carried Out', 'Carry'],
  ['House', 'House'],
  ['Volume', null],
  ['constructor', null],
  ['', null],
])('the heading %s is explained by the word %s', (heading, word) => expect(wordOfHeading(heading)).toBe(word))

test('the page of permissions says of each permission what the help says, but for its citations', () => {
  const heading = page('permissions').split(/^## /m)[3]!
  const withoutCitations = (text = '') => text.replace(/ \((?:[a-z]+ )?\d+(?:, (?:[a-z]+ )?\d+)*\)/g, '')
  const said = tableOf(heading).map(([name, says]) => [name, withoutCitations(says)])
  const isPermission = ([name]: (string | undefined)[]) => (permissions as readonly string[]).includes(name!)
  expect(Object.fromEntries(said.filter(isPermission))).toEqual(permissionHelp)
})

/** What writes and says nothing, and why. */
const silent: Record<string, string> = {
  ...Object.fromEntries(
    Object.keys(bulkEntities).flatMap((name) => [
      [`bulk.${name}.preview`, 'it stores nothing'],
      [`bulk.${name}.commit`, 'its own message offers Undo'],
      [`bulk.${name}.undo`, 'its own message, or the list of changes, says it'],
    ]),
  ),
  'session.login': 'the screen that opens says it',
  'session.renew': 'nobody asked for it',
  'session.logout': 'the login page says it',
  'session.reauthenticate': 'the question that needed it goes on',
  'terms.accept': 'the screen that opens says it',
  'email.request': 'the next step of its dialog says it',
  'reports.run': 'it stores nothing',
  'reports.export': 'it stores nothing',
  'batches.rejected': 'it stores nothing',
  'inbox.check': 'its row says what was found',
  'months.returnfile': 'its dialog lists what was recorded',
}

test('every call that stores something says so afterwards, but for those named here', () => {
  const written = rows(endpoints).filter(([, { route }]) => !route.startsWith('GET '))
  expect(
    written
      .filter(([, { done }]) => !done)
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(Object.keys(silent).toSorted())
})

/** A star stands for every entity or import. */
const namesWith = (has: (endpoint: Endpoint) => unknown) => {
  const names = rows(endpoints).filter(([, endpoint]) => has(endpoint))
  return [...new Set(names.map(([name]) => name.replace(/^(bulk|entities|file)\.\w+/, '$1.*')))].toSorted()
}

test.each<[what: string, has: (endpoint: Endpoint) => unknown, names: string[]]>([
  [
    'work on all of a month or wait for what does, and answer no file',
    (it) => it.slow,
    [
      'decisions.masteragent.confirm',
      'decisions.masteragent.hold',
      'decisions.masteragent.reject',
      'decisions.masteragent.unhold',
      'months.approve',
      'months.detail',
      'months.differences',
      'months.hold',
      'months.lock',
      'months.payout',
      'months.reopen',
      'months.return',
      'months.returnfile',
      'months.returnrelease',
      'months.takeover',
      'months.trend',
      'months.unhold',
      'months.waive',
      'reports.publish',
      'reports.unlock',
      'variance.compare',
      'variance.missing',
      'variance.recovered',
    ],
  ],
  [
    'have turns of their own',
    (it) => it.ownTurn,
    [
      'audit.export',
      'bulk.*.commit',
      'bulk.*.preview',
      'bulk.*.undo',
      'entities.*.export',
      'inbox.check',
      'inbox.import',
      'reports.export',
      'reports.run',
      'tickets.export',
      'variance.compareFile',
      'variance.missingFile',
    ],
  ],
  [
    'an open page asks by itself',
    (it) => it.unattended,
    ['batches.running', 'email.helpdeskToken', 'inbox.count', 'inbox.list', 'session.renew'],
  ],
  [
    'judge the state of a record before the body',
    (it) => it.bodyAfterState,
    [
      'decisions.adjustment.accept',
      'decisions.adjustment.refuse',
      'decisions.masteragent.confirm',
      'decisions.masteragent.hold',
      'decisions.masteragent.reject',
      'decisions.masteragent.unhold',
    ],
  ],
  ['are answered in pieces', (it) => it.long, ['reports.run']],
])('the calls that %s are these', (_, has, names) => expect(namesWith(has)).toEqual(names))

test('View names parameters of its call or fields of its answer alone', () => {
  const wrong = rows(endpoints).flatMap(([name, { route, done, reply }]: [string, Endpoint]) => {
    const fields = Object.keys((reply?.['properties'] ?? {}) as object)
    const names = [...(done?.view ?? '').matchAll(/:(\w+)/g)].map(([, field]) => field!)
    return names
      .filter((field) => !route.includes(`:${field}`) && !fields.includes(field))
      .map((it) => `${name} ${it}`)
  })
  expect(wrong).toEqual([])
})

test.each([
  ['ab', false],
  ['abc', true],
  ['abcd', true],
  ['ab cd', false],
  ['a bcd', true],
  ['   ', false],
  ['𝒂𝒃', false],
])('%j is enough to find something by: %s', (text, is) => expect(canFind(text)).toBe(is))
