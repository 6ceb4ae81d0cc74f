import { isFolder, type DriveNode } from '../../../schemas/api/drive.ts'

/** One line of the tree as it is drawn. `level`, `place` and `siblings` count from 1, as screen readers are told. */
export type TreeRow = {
  node: DriveNode
  parent: number
  level: number
  position: number
  siblingCount: number
  isOpen: boolean
}

const names = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' })
const byName = (a: DriveNode, b: DriveNode) =>
  Number(isFolder(b)) - Number(isFolder(a)) || names.compare(a.name, b.name) || (a.name < b.name ? -1 : 1)

/** Folders first, then files, both by name, at every level (specification, section 2). */
export const sortTree = (nodes: readonly DriveNode[]): DriveNode[] =>
  [...nodes]
    .sort(byName)
    .map((node) => (node.children.length > 0 ? { ...node, children: sortTree(node.children) } : node))

/** Letters with and without accents, large and small, are the same. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Does this name match, or anything below? */
function findMatches(nodes: readonly DriveNode[], text: string) {
  const named = new Set<string>()
  const holding = new Set<string>()
  const visit = (node: DriveNode): boolean => {
    const below = node.children.map(visit).some(Boolean)
    if (below) holding.add(node.id)
    if (plain(node.name).includes(text)) named.add(node.id)
    return below || named.has(node.id)
  }
  nodes.forEach(visit)
  return { named, holding }
}

/** How many files there are, below too. */
export const countFiles = (nodes: readonly DriveNode[]): number =>
  nodes.reduce((sum, node) => sum + (isFolder(node) ? countFiles(node.children) : 1), 0)

/**
 * The rows to draw of a sorted tree. Without a filter the folders in `turned` are open; a filter opens every branch that
 * holds a match, and `turned` are the folders that somebody has opened or closed since.
 */
export function visibleRows(nodes: readonly DriveNode[], turned: ReadonlySet<string>, filter: string): TreeRow[] {
  const rows: TreeRow[] = []
  const text = plain(filter.trim())
  const found = text === '' ? null : findMatches(nodes, text)
  const add = (siblings: readonly DriveNode[], parent: number, level: number, isInMatch: boolean) => {
    const shown =
      found && !isInMatch
        ? siblings.filter(({ id }) => found.named.has(id) || found.holding.has(id))
        : siblings
    for (const [index, node] of shown.entries()) {
      const isOpen = isFolder(node) && (found?.holding.has(node.id) ?? false) !== turned.has(node.id)
      const at = rows.push({ node, parent, level, position: index + 1, siblingCount: shown.length, isOpen }) - 1
      if (isOpen) add(node.children, at, level + 1, isInMatch || (found?.named.has(node.id) ?? false))
    }
  }
  add(nodes, -1, 1, false)
  return rows
}

/** The row that a key leads to, or null. `typed` is what was typed so far, this key included. */
export function rowByKey(rows: readonly TreeRow[], at: number, key: string, typed: string): number | null {
  const row = rows[at]
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, rows.length - 1)
    case 'ArrowUp':
      return Math.max(at - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return rows.length - 1
    case 'ArrowRight':
      return row?.isOpen && row.node.children.length > 0 ? at + 1 : null
    case 'ArrowLeft':
      return row && !row.isOpen && row.parent >= 0 ? row.parent : null
    default: {
      if (typed === '') return null
      const begins = ({ node }: TreeRow) => plain(node.name).startsWith(plain(typed))
      // A first letter goes on to the next; further letters may mean the same row still.
      const from = [...typed].length === 1 ? at + 1 : at
      const order = [...rows.keys()].map((index) => (index + from) % rows.length)
      return order.find((index) => begins(rows[index]!)) ?? null
    }
  }
}
