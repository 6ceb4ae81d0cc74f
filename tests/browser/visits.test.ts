import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage, visitors } from './page.ts'
import { visits, type Visit } from './visits.ts'

const { visit, home, browser } = visitors()
/** The page parses it anew at every visit. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const both = [1440, 360]
const colours = ['color-contrast', 'link-in-text-block']
const places = [
  'target-size',
  'scrollable-region-focusable',
  'aria-hidden-focus',
  'region',
  'landmark-one-main',
  'page-has-heading-one',
  'bypass',
]

/** Each violation by its rule and the elements that have it. Colours do not change slowly while they are measured. */
async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const { violations: found } = await page.evaluate(
    (values) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        resultTypes: ['violations'],
        selectors: false,
        ...(values && { runOnly: { type: 'rule', values } }),
      }),
    rules,
  )
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 200)} ${any[0]?.message ?? ''}`).join(' | ')}`,
  )
}
const atOnce = () => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
  document.adoptedStyleSheets.push(sheet)
}

/** A width and a theme are heard of when the next frame is drawn, which on a busy machine is later than they are set. */
const drawn = () =>
  new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))

async function check(one: Visit, widths: readonly number[]) {
  const found: Record<string, string[]> = {}
  const { page, complaints } = await visit({
    ...one,
    show: async (it, server) => {
      await it.emulateMedia({ colorScheme: 'light' })
      await it.setViewportSize({ width: widths[0]!, height: 900 })
      await one.show(it, server, widths[0])
    },
  })
  const heard = one.fails ? [] : [...complaints]
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(axeSource)
    await page.evaluate(atOnce)
  }
  found[`${widths[0]} wide, light`] = await violations(page)
  // The theme changes colours alone; a narrow screen moves and covers, and leaves names and roles what they were.
  await page.emulateMedia({ colorScheme: 'dark' })
  const last = widths.at(-1)!
  if (last !== widths[0]) await page.setViewportSize({ width: last, height: 900 })
  await page.evaluate(drawn)
  found[`${last} wide, dark`] = await violations(page, [...colours, ...places])
  expect({ heard, found: Object.entries(found).filter(([, texts]) => texts.length > 0) }).toEqual({
    heard: [],
    found: [],
  })
}

// A policy that is violated, an error, a warning, another host that is asked: one visit serves both.
describe('the browser has nothing to complain of, and axe-core finds nothing, 1440 wide and light, 360 wide and dark', () => {
  it.each(visits.filter(({ differs }) => !differs).map((one) => [one.name, one] as const))('%s', (_, one) =>
    check(one, both),
  )
  // Its own way leads there on a narrow screen.
  const ways = visits
    .filter(({ differs }) => differs)
    .flatMap((one) => both.map((width) => [one.name, width, one] as const))
  it.each(ways)('%s, %i wide', (_, width, one) => check(one, [width]))

  it('would find a picture without words and a text that cannot be read', async () => {
    const harm = async (page: Page) => {
      await page.evaluate(() => {
        const text = document.querySelector('main')!.appendChild(document.createElement('p'))
        text.append('Pale', document.createElement('img'))
        Object.assign(text.style, { color: '#eee', background: '#fff' })
      })
    }
    const login = visits.find(({ name }) => name === 'the login')!
    const { page } = await visit({
      ...login,
      show: async (it, server) => login.show(it, server).then(() => harm(it)),
    })
    await page.evaluate(axeSource)
    expect((await violations(page)).map((text) => text.split(':')[0])).toEqual([
      'color-contrast',
      'image-alt',
    ])
  })

  it('would hear of a violation', async () => {
    const { page, complaints, close } = await openPage(browser(), home(), null)
    await page.goto(`${home().origin}/login`)
    await page.evaluate(() => {
      document.body.setAttribute('onclick', 'void 0')
      document.body.appendChild(document.createElement('img')).src = 'https://example.com/picture.png'
    })
    await expect.poll(() => complaints.filter((text) => text.startsWith('violation: '))).toHaveLength(2)
    await close()
  })
})
