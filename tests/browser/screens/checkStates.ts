import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { sharedPages } from '../lib/page.ts'
import type { ScreenState } from './state.ts'

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
/** The first is looked at in the light theme, the last in the dark one. */
const windowWidths = [1440, 768, 360]
const colourRules = ['color-contrast', 'link-in-text-block']
const layoutRules = [
  'target-size',
  'scrollable-region-focusable',
  'aria-hidden-focus',
  'region',
  'landmark-one-main',
  'page-has-heading-one',
  'bypass',
]

export type InPage = { axe: typeof axe; repeated: typeof repeated }

/**
 * Runs in the page. The rows and list items after the second of those that are made of the same elements with
 * the same attributes, and differ in their words and addresses alone: what holds of two of them holds of all.
 */
function repeated(): Element[] {
  const words =
    /^(id|for|name|value|href|src|title|alt|datetime|data-.*|aria-(label|labelledby|describedby))$/
  const lookOf = (it: Element): string => {
    const attributes = [...it.attributes].map(
      ({ name, value }) => `${name}=${words.test(name) ? value.trim() !== '' : value}`,
    )
    const isField = it instanceof HTMLInputElement || it instanceof HTMLTextAreaElement
    const inside = [...it.childNodes].map((node) => {
      if (node instanceof Element) return lookOf(node)
      // A short word makes a small target.
      return node instanceof Text ? Math.min(node.data.trim().length, 3) : ''
    })
    return `<${it.tagName} ${attributes.join(' ')} ${isField && it.value !== ''}>${inside.join()}</>`
  }
  return [...document.querySelectorAll('tbody, ul, ol, [role=rowgroup]')].flatMap((parent) => {
    const times = new Map<string, number>()
    return [...parent.children].filter((row) => {
      const look = lookOf(row)
      times.set(look, (times.get(look) ?? 0) + 1)
      return times.get(look)! > 2
    })
  })
}

/** Each violation of these rules, or of all, by its rule and the elements that have it. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const { violations: found } = await page.evaluate((values) => {
    const it = globalThis as unknown as InPage
    return it.axe.run(
      { exclude: it.repeated() },
      {
        resultTypes: ['violations'],
        selectors: false,
        // Would fetch the style sheets anew, for the rules about sound and video.
        preload: false,
        ...(values && { runOnly: { type: 'rule', values } }),
      },
    )
  }, rules)
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 200)} ${any[0]?.message ?? ''}`).join(' | ')}`,
  )
}

/** Loads axe into the page, and ends all transitions: colours must not change while they are measured. */
export async function prepare(page: Page) {
  if (await page.evaluate(() => 'axe' in globalThis)) return
  await page.evaluate(`${axeSource}; globalThis.repeated = ${repeated}`)
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
    document.adoptedStyleSheets.push(sheet)
  })
}

/**
 * Waits for the frame in which a new width or theme is drawn, and answers how far the page is wider than its
 * window. What follows the width a moment later, such as a chart, has three seconds for that.
 */
export const overflow = (page: Page) =>
  page.evaluate(async () => {
    const frame = () => new Promise<void>((done) => requestAnimationFrame(() => done()))
    const excess = () => Math.max(0, document.documentElement.scrollWidth - innerWidth)
    await frame()
    await frame()
    for (const end = performance.now() + 3_000; excess() > 0 && performance.now() < end;) await frame()
    return excess()
  })

/** Looks at one state in both themes and at every width, without showing it again. */
async function check(show: ReturnType<typeof sharedPages>['show'], state: ScreenState) {
  const [first = 0, ...others] = state.width ? [state.width] : windowWidths
  const { page, complaints } = await show({
    ...state,
    show: async (it, server) => {
      await it.emulateMedia({ colorScheme: 'light' })
      await it.setViewportSize({ width: first, height: 900 })
      await state.show(it, server)
    },
  })
  const complained = state.fails ? [] : [...complaints]
  await prepare(page)
  const wider: Record<number, number> = { [first]: await overflow(page) }
  const light = await violations(page)
  // A theme changes nothing but colours; a width moves and covers, and leaves names and roles what they are.
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const width of others) {
    await page.setViewportSize({ width, height: 900 })
    wider[width] = await overflow(page)
  }
  if (others.length === 0) await overflow(page)
  const dark = await violations(page, [...colourRules, ...layoutRules])
  const overflows = Object.entries(wider).filter(([, pixels]) => pixels > 0)
  expect({ complained, light, dark, overflows }).toEqual({
    complained: [],
    light: [],
    dark: [],
    overflows: [],
  })
}

const title =
  'no console message, no foreign request, no violation that axe-core finds, nothing wider than the window'

/** Tests in Chromium that each of these states is shown without a fault of this kind. */
export function checkStates(states: readonly ScreenState[]) {
  const { show } = sharedPages()
  describe(title, () => {
    it.each(states.map((state) => [state.name, state] as const))('%s', (_, state) => check(show, state))
  })
}
