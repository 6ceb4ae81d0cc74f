import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { keepPlaces } from '../../../src/parts/hooks/keptPlaces.ts'

const table = `
  <div class="table-scroll"><a id="first" href="/one">One</a><a id="second" href="/two">Two</a></div>`
const page = `
  <nav><a id="bar" href="/bar">Bar</a></nav>
  <main id="main" tabindex="-1">
    <button id="button">Act</button><a id="same" href="/two">Two</a>${table}
  </main>
  <div class="bp6-dialog"><input id="field" /><a id="inside" href="/inside">Inside</a></div>`
const at = (id: string) => document.getElementById(id)!
const box = () => document.querySelector('.table-scroll')!
const focused = () => document.activeElement?.id ?? ''
const frames = async (count: number) => {
  for (let frame = 0; frame < count; frame++) await new Promise((done) => requestAnimationFrame(done))
}

beforeEach(() => {
  // jsdom lays nothing out: the page is as long as it takes, and scrolls at once.
  Element.prototype.scrollTo = function (this: Element, { top = 0 }: ScrollToOptions = {}) {
    this.scrollTop = top
  } as Element['scrollTo']
  const scrolled = vi.spyOn(window, 'scrollTo').mockImplementation(((left: number, top: number) => {
    Object.defineProperty(window, 'scrollY', { value: top, configurable: true })
  }) as never)
  history.replaceState({ key: 'left' }, '')
  document.body.innerHTML = page
  const stop = keepPlaces()
  onTestFinished(() => {
    stop()
    scrolled.mockRestore()
    Reflect.deleteProperty(Element.prototype, 'scrollTo')
    Object.defineProperty(window, 'scrollY', { value: 0, configurable: true })
    document.body.innerHTML = ''
  })
})

/** Follows a link of a page that is scrolled to a place; then another screen is there, at its top. */
const leaveBy = (id: string) => {
  window.scrollTo(0, 400)
  box().scrollTop = 150
  at(id).addEventListener('click', (event) => event.preventDefault())
  at(id).click()
  history.replaceState({ key: 'there' }, '')
  document.body.innerHTML = '<main id="main" tabindex="-1"></main>'
  window.scrollTo(0, 0)
}
/** Back: the screen begins at its top with the focus, and its content comes later. */
const comeBack = (key = 'left') => {
  history.replaceState({ key }, '')
  window.dispatchEvent(new PopStateEvent('popstate'))
  at('main').focus()
}
const load = (html = page) => {
  document.body.innerHTML = html
  at('main').focus()
}
const place = () => [focused(), window.scrollY, box().scrollTop]

test.each([
  ['a link of a table', 'second'],
  ['one of two links to the same', 'same'],
  ['a link of a dialog', 'inside'],
])('after Back from %s it has the focus, and the page is where it was', async (_, id) => {
  leaveBy(id)
  comeBack()
  await frames(3)
  load()
  await frames(5)
  expect(place()).toEqual([id, 400, 150])
})

test('a link of the bar leaves the focus on the screen, which is scrolled to where it was', async () => {
  leaveBy('bar')
  comeBack()
  load()
  await frames(5)
  expect(place()).toEqual(['main', 400, 150])
})

test('the link has the focus also after a dialog gave it to its first field', async () => {
  leaveBy('inside')
  comeBack()
  load()
  await frames(3)
  expect(focused()).toBe('inside')
  at('field').focus()
  await frames(5)
  expect(focused()).toBe('inside')
})

test('nothing is moved while the screen is busy', async () => {
  leaveBy('second')
  comeBack()
  load(page.replace('class="table-scroll"', 'class="table-scroll" aria-busy="true"'))
  await frames(5)
  expect(place()).toEqual(['main', 0, 0])
  box().removeAttribute('aria-busy')
  await frames(5)
  expect(place()).toEqual(['second', 400, 150])
})

test.each(['keydown', 'pointerdown', 'wheel', 'touchmove'])(
  'who acts meanwhile is left there: %s',
  async (act) => {
    leaveBy('second')
    comeBack()
    at('main').dispatchEvent(new Event(act, { bubbles: true }))
    load()
    await frames(5)
    expect(place()).toEqual(['main', 0, 0])
  },
)

test('another entry of the history has no place', async () => {
  leaveBy('second')
  comeBack('other')
  load()
  await frames(5)
  expect(place()).toEqual(['main', 0, 0])
})

const groups = (links: string) => page.replace('<button id="button">Act</button>', links)
const group = (id: string, count: number, links: string) =>
  `<details ${id}><summary id="heading">Unknown <b>${count}</b></summary><details><summary>More</summary>${links}</details></details>`

test('what was closed when the page was read is opened again around its link', async () => {
  load(groups(group('id="mids"', 2, '<a id="mid1" href="/1">1</a><a id="mid2" href="/2">2</a>')))
  for (const it of document.querySelectorAll('details')) it.open = true
  leaveBy('mid2')
  comeBack()
  load(groups(group('id="mids"', 2, '<a id="mid1" href="/1">1</a><a id="mid2" href="/2">2</a>')))
  await frames(5)
  expect(focused()).toBe('mid2')
  expect([...document.querySelectorAll('details')].map(({ open }) => open)).toEqual([true, true])
})

test.each([
  ['its id, whatever is counted in its heading', 'id="mids"', 1, true],
  ['its heading', '', 2, true],
  ['its heading, which is another one by now', '', 1, false],
])('the heading of a link that is gone has the focus, by %s', async (_, id, count, isFound) => {
  load(groups(group(id, 2, '<a id="mid1" href="/1">1</a>')))
  leaveBy('mid1')
  comeBack()
  load(groups(group(id, count, '').replace('<details><summary>More</summary></details>', '')))
  await frames(5)
  expect([focused(), window.scrollY]).toEqual([isFound ? 'heading' : 'main', 400])
  expect(document.querySelector('details')!.open).toBe(isFound)
})

test('a link that is not there any more leaves the focus on the screen', async () => {
  leaveBy('first')
  comeBack()
  load(page.replace('<a id="first" href="/one">One</a>', ''))
  await frames(5)
  expect(focused()).toBe('main')
})
