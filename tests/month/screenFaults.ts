import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Each violation that axe finds, by its rule and elements, and how far the page is wider than the window. */
const complaintsOf = (page: Page) =>
  page.evaluate(async () => {
    const frame = () => new Promise<void>((done) => requestAnimationFrame(() => done()))
    await frame()
    await frame()
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ['violations'],
      selectors: false,
    })
    const excess = document.documentElement.scrollWidth - innerWidth
    return [
      ...violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
      ),
      ...(excess > 0 ? [`${excess} pixels wider than the window`] : []),
    ]
  })

/** What is wrong with the screen as it stands, light and wide, then dark and narrow. */
export async function screenFaults(page: Page, what: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
    document.adoptedStyleSheets.push(sheet)
  })
  const found: string[] = []
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    found.push(...(await complaintsOf(page)).map((text) => `${what}, ${width}, ${colorScheme}: ${text}`))
  }
  return found
}
