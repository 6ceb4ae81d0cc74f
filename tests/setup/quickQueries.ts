import { type Document, type Element, Node } from 'happy-dom'
import NodeList from 'happy-dom/lib/nodes/node/NodeList.js'
import * as PropertySymbol from 'happy-dom/lib/PropertySymbol.js'
import QuerySelector from 'happy-dom/lib/query-selector/QuerySelector.js'
import type SelectorItem from 'happy-dom/lib/query-selector/SelectorItem.js'
import SelectorParser from 'happy-dom/lib/query-selector/SelectorParser.js'

/**
 * happy-dom notes at every element of a document which questions it was part of, and walks the document once
 * for each part between two commas: a question for a role costs as much as drawing the screen. Here a
 * selector of single elements (no ' ', '>', '+' or '~') looks only at the elements with its name or its
 * attribute, which are kept until anything in any document changes; one element is compared as happy-dom
 * does. All other selectors are left to happy-dom.
 */
type Asked = Element | Document
type Part = { item: SelectorItem; /** In capitals. */ name: string | null; attribute: string | null }

/** Counts what happy-dom clears its own answers for: changes of nodes and attributes, checks and focus. */
let version = 0

const parsed = new Map<string, Part[] | null>()
/** The parts of a selector between commas; null where they are more than one element each, or are refused. */
function partsOf(node: Asked, selector: unknown): Part[] | null {
  if (typeof selector !== 'string') return null
  const known = parsed.get(selector)
  if (known !== undefined) return known
  const parts = parse(node, selector)
  parsed.set(selector, parts)
  return parts
}

function parse(node: Asked, selector: string): Part[] | null {
  if (!/^(?:[a-z*]|\[[a-z])/i.test(selector) || /[.#]$/.test(selector)) return null
  const parser = new SelectorParser({
    window: node[PropertySymbol.window],
    scope: node as Element,
    globalMatchFunction: QuerySelector.globalMatchFunction,
  })
  const groups = parser.getSelectorGroups(selector)
  if (groups.some(({ length }) => length !== 1)) return null
  return groups.map(([item]) => ({
    item: item!,
    name: item!.tagName === '*' ? null : item!.tagName,
    attribute: item!.attributes?.[0]?.name ?? null,
  }))
}

/** The elements within a node as they follow each other, by their names and by their attributes. */
class Elements {
  readonly version = version
  readonly answers = new Map<string, NodeList<Element>>()
  readonly #all: Element[] = []
  readonly #positions = new Map<Element, number>()
  readonly #named = new Map<string, Element[]>()
  readonly #attributed = new Map<string, Element[]>()

  constructor(within: Asked) {
    this.#add(within)
  }

  #add(within: Asked): void {
    for (const element of within[PropertySymbol.elementArray]) {
      this.#positions.set(element, this.#all.length)
      this.#all.push(element)
      const name = element[PropertySymbol.tagName]!.toUpperCase()
      const others = this.#named.get(name)
      if (others) others.push(element)
      else this.#named.set(name, [element])
      this.#add(element)
    }
  }

  #with(attribute: string): Element[] {
    const known = this.#attributed.get(attribute)
    if (known) return known
    const found = this.#all.filter((it) => it[PropertySymbol.attributes].getNamedItem(attribute) !== null)
    this.#attributed.set(attribute, found)
    return found
  }

  #candidates({ name, attribute }: Part): Element[] {
    if (name !== null) return this.#named.get(name) ?? []
    return attribute === null ? this.#all : this.#with(attribute)
  }

  find(parts: readonly Part[], scope: Element): Element[] {
    const [first, ...others] = parts.map((part) =>
      this.#candidates(part).filter((it) => part.item.match(scope, it) !== null),
    )
    if (others.length === 0) return first ?? []
    const position = (it: Element) => this.#positions.get(it)!
    return [...new Set([first!, ...others].flat())].sort((a, b) => position(a) - position(b))
  }
}

const scopeOf = (node: Asked): Element =>
  node[PropertySymbol.nodeType] === Node.DOCUMENT_NODE
    ? (node as Document).documentElement
    : (node as Element)

export function answerQueriesQuickly(): void {
  const { querySelectorAll, matches } = QuerySelector
  const clear = Node.prototype[PropertySymbol.clearCache]
  Node.prototype[PropertySymbol.clearCache] = function (this: Node) {
    version++
    clear.call(this)
  }
  const known = new WeakMap<Asked, Elements>()
  const elementsOf = (node: Asked) => {
    const kept = known.get(node)
    if (kept?.version === version) return kept
    const elements = new Elements(node)
    known.set(node, elements)
    return elements
  }
  QuerySelector.querySelectorAll = ((node: Asked, selector: string) => {
    const parts = partsOf(node, selector)
    if (!parts) return querySelectorAll.call(QuerySelector, node, selector)
    const elements = elementsOf(node)
    const kept = elements.answers.get(selector)
    if (kept) return kept
    const found = new NodeList<Element>(
      PropertySymbol.illegalConstructor,
      elements.find(parts, scopeOf(node)),
    )
    elements.answers.set(selector, found)
    return found
  }) as typeof querySelectorAll
  QuerySelector.matches = (element, selector, options) => {
    const parts = partsOf(element, selector)
    if (!parts) return matches.call(QuerySelector, element, selector, options)
    const scope = scopeOf((options?.scope as Asked | undefined) ?? element)
    for (const { item } of parts) {
      const match = item.match(scope, element, options?.ignoreErrors)
      if (match) return match
    }
    return null
  }
}
