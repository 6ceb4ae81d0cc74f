import { within } from '@testing-library/react'

const roles = ['group', 'textbox', 'combobox', 'listbox', 'checkbox', 'option', 'button']

/**
 * What a person perceives of this part of the page, in order: of each control its role, name, value and
 * state, and what a screen reader reads with it (`textbox "City" = "Leeds", required, "City is taken"`), and
 * every text beside them (`text "City is taken"`).
 */
export function perceivedIn(container: HTMLElement): string[] {
  const names = namesIn(container)
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  const lines: string[] = []
  while (walker.nextNode()) {
    const node = walker.currentNode
    const named = node instanceof Element ? names.get(node) : undefined
    if (node instanceof Element && named !== undefined) lines.push(lineOf(node, named))
    if (node instanceof Text && isBeside(node)) lines.push(`text ${JSON.stringify(node.data.trim())}`)
  }
  return lines
}

/**
 * Role and name of each control. Browsers give fields of dates and passwords no role, so they are called by
 * their type.
 */
function namesIn(container: HTMLElement): Map<Element, string> {
  const names = new Map<Element, string>()
  for (const role of roles) {
    const name = (text: string, element: Element) => names.set(element, `${role} "${text}"`).has(element)
    within(container).queryAllByRole(role, { name })
  }
  for (const field of container.querySelectorAll<HTMLInputElement>('[type=password], [type=date]'))
    names.set(
      field,
      `${field.type} "${[...(field.labels ?? [])].map(({ textContent }) => textContent.trim()).join()}"`,
    )
  for (const option of container.querySelectorAll<HTMLOptionElement>('datalist option'))
    names.set(option, `suggestion "${option.value}"`)
  return names
}

/** Neither empty, nor hidden, nor the name of something. */
const isBeside = ({ data, parentElement }: Text) =>
  data.trim() !== '' && parentElement?.closest('label, legend, option, button, textarea, [hidden]') === null

const lineOf = (element: Element, named: string) =>
  [named + valueOf(element), ...statesOf(element), ...descriptionsOf(element)].join(', ')

const isText = (element: Element): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && element.type !== 'checkbox')

const valueOf = (element: Element) => (isText(element) ? ` = ${JSON.stringify(element.value)}` : '')

const statesOf = (element: Element): string[] => [
  ...['required', 'disabled', 'readonly', 'multiple'].filter((name) => element.hasAttribute(name)),
  ...(isOn(element) ? ['on'] : []),
  ...(element.getAttribute('aria-invalid') === 'true' ? ['invalid'] : []),
  ...(isText(element) ? hintsOf(element) : []),
]

const isOn = (element: Element) =>
  element instanceof HTMLOptionElement ? element.selected : (element as HTMLInputElement).checked === true

/** What helps with typing, but for what every line of text has. */
const hintsOf = (element: HTMLInputElement | HTMLTextAreaElement) =>
  ['type', 'inputmode', 'autocomplete', 'placeholder']
    .map((name) => `${name} ${element.getAttribute(name) ?? ''}`)
    .filter((hint) => !/ $|^(type (text|password|date)|autocomplete off)$/.test(hint))

/** The texts that describe it; an id that leads nowhere would be a mistake. */
const descriptionsOf = (element: Element) =>
  (element.getAttribute('aria-describedby')?.split(' ') ?? []).map((id) =>
    JSON.stringify(document.getElementById(id)?.textContent.trim() ?? `nothing has the id ${id}`),
  )
