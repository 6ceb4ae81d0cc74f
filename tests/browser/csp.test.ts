import { describe, expect, it } from 'vitest'
import { openPage, visitors } from './page.ts'
import { visits } from './visits.ts'

const { visit, home, browser } = visitors()

describe('the browser has nothing to complain of: no policy violated, no error, no warning, no other host asked', () => {
  it.each(visits.filter(({ fails }) => !fails).map((one) => [one.name, one] as const))('%s', async (_, one) => {
    expect((await visit(one)).complaints).toEqual([])
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
