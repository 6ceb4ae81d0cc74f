import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage, sharedPages } from '../lib/page.ts'
import { type InPage, overflow, prepare, violations } from './checkStates.ts'
import { loginStates } from './states.ts'

const { show, home, browser } = sharedPages()
const login = loginStates[0]!

describe('the checks themselves', () => {
  it('find a picture without words, a text too pale to read and a page wider than its window', async () => {
    const harm = (page: Page) =>
      page.evaluate(() => {
        const text = document.querySelector('main')!.appendChild(document.createElement('p'))
        text.append('Pale', document.createElement('img'))
        Object.assign(text.style, { color: '#eee', background: '#fff', width: '3000px' })
      })
    const { page } = await show({
      ...login,
      show: (it, server) => login.show(it, server).then(() => harm(it)),
    })
    await prepare(page)
    expect(await overflow(page)).toBeGreaterThan(1000)
    expect((await violations(page)).map((text) => text.split(':')[0])).toEqual([
      'color-contrast',
      'image-alt',
    ])
  })

  it('leave out no row that looks unlike two before it', async () => {
    const { page } = await show(login)
    await prepare(page)
    await page.evaluate(() => {
      const list = document.querySelector('main')!.appendChild(document.createElement('ul'))
      Object.assign(list.style, { color: '#000', background: '#fff' })
      for (const at of ['1st', '2nd', '3rd', '4th', '5th']) {
        const text = document.createElement('span')
        text.append(at)
        if (['3rd', '5th'].includes(at)) text.style.color = '#eee'
        list.appendChild(document.createElement('li')).append(text)
      }
    })
    const [found = '', ...others] = await violations(page)
    expect(others).toEqual([])
    expect(['1st', '2nd', '3rd', '4th', '5th'].filter((at) => found.includes(at))).toEqual(['3rd', '5th'])
    expect(await page.evaluate(() => (globalThis as unknown as InPage).repeated().length)).toBe(1)
  })

  it('report a violated policy', async () => {
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
