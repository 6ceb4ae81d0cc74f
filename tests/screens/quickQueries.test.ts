import { expect, it } from 'vitest'

/** What tests/setup/quickQueries.ts answers itself. */
const quick = [
  '*',
  'label',
  'TD',
  'path',
  'linearGradient',
  'label[for="name"]',
  '[aria-label]',
  '[aria-label="Other"]',
  '*[role~="button"],button,input',
  'input,*[role~="textbox"],textarea',
  'td.figures',
  'input:not([type="checkbox"])',
  'input:checked,td:nth-child(2)',
  'input:disabled,button:focus',
]
/** More than one element each, so happy-dom answers itself. */
const asHappyDom = (selector: string) =>
  selector
    .split(',')
    .map((part) => `main ${part}`)
    .join(',')

const texts = (found: Iterable<Element>) => [...found].map((it) => it.outerHTML)
const inBoth = (within: ParentNode & Node) =>
  quick.map((selector) => {
    const found = [...within.querySelectorAll(selector)].filter(
      (it) => it.closest('main') && it.tagName !== 'MAIN',
    )
    for (const it of found) expect(it.matches(selector)).toBe(true)
    expect(texts(found)).toEqual(texts(within.querySelectorAll(asHappyDom(selector))))
    const others = [...within.querySelectorAll('main *')].filter((it) => !found.includes(it))
    for (const it of others) expect(it.matches(selector)).toBe(false)
    return [selector, found.length]
  })

const page = `<main><label for="name">Name</label><input id="name"><label>All<input type="checkbox"></label>
  <table><tr><td>1</td><td class="figures">2</td></tr></table><span role="button link" tabindex="0">Go</span>
  <svg><linearGradient></linearGradient><path d="M0"></path></svg><button>Save</button>
  <div role="textbox" aria-label="Other"></div><textarea></textarea></main>`

it('the quick answers of the tests are those of happy-dom, also after each change of the page', () => {
  const root = document.body.appendChild(document.createElement('div'))
  root.innerHTML = page
  const seen = [inBoth(document), inBoth(root)]
  const find = <E extends Element>(selector: string) => root.querySelector<E>(selector)!
  const changes = [
    () => find('button').remove(),
    () => find('main').prepend(document.createElement('button')),
    () => find('textarea').setAttribute('role', 'button'),
    () => find('[aria-label]').removeAttribute('aria-label'),
    () => (find('td').className = 'figures'),
    () => (find<HTMLInputElement>('input[type]').checked = true),
    () => (find<HTMLInputElement>('input').disabled = true),
    () => find<HTMLButtonElement>('button').focus(),
    () => find('tr').prepend(find('td:last-child')),
    () => find<HTMLButtonElement>('button').blur(),
    () => (find('table').innerHTML = ''),
  ]
  for (const change of changes) {
    const before = seen.at(-1)
    change()
    seen.push(inBoth(root))
    expect(inBoth(document)).toEqual(seen.at(-1))
    if (change !== changes[8]) expect(seen.at(-1)).not.toEqual(before)
  }
  root.remove()
})
