import type { Locator, Page } from 'playwright-core'

/**
 * What a person does with the mouse, and with Enter and Space, which activate something. Typing and Tab are
 * free. A list of choices takes two: opening it and choosing. So do files: the button, and the choice in the
 * browser's dialog.
 */
export type Clicks = {
  click(target: Locator): Promise<void>
  choose(list: Locator, value: string): Promise<void>
  files(input: Locator, files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void>
  /** Types into a field, which takes a click unless it has the focus. */
  type(field: Locator, text: string): Promise<void>
  enter(page: Page): Promise<void>
  count(): number
  /** What was done, a line each. */
  done(): readonly string[]
}

const nameOf = (target: Locator) => target.toString().replace(/^locator\('?|'?\)$/g, '')

export function countClicks(): Clicks {
  const done: string[] = []
  const add = (count: number, what: string) => {
    for (let at = 0; at < count; at++) done.push(what)
  }
  return {
    async click(target) {
      await target.click()
      add(1, `click ${nameOf(target)}`)
    },
    async choose(list, value) {
      await list.selectOption(value)
      add(2, `choose ${value} in ${nameOf(list)}`)
    },
    async files(input, files) {
      await input.setInputFiles(files)
      add(2, `choose ${files.length} files`)
    },
    async type(field, text) {
      const hasFocus = await field.evaluate((element) => element === document.activeElement)
      if (!hasFocus) {
        await field.click()
        add(1, `click ${nameOf(field)}`)
      }
      await field.fill(text)
    },
    async enter(page) {
      await page.keyboard.press('Enter')
      add(1, 'Enter')
    },
    count: () => done.length,
    done: () => done,
  }
}
