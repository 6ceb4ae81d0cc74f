import { isFolder, type DriveNode } from '../../../schemas/api/drive.ts'

/** One row of the drawn tree. `level` and `position` count from 1, as `aria-level` and `aria-posinset` do. */
export type TreeRow = {
  node: DriveNode
  /** The index of the parent's row, -1 at the top level. */
  parent: number
  level: number
  position: number
  siblingCount: number
  isOpen: boolean
}

const collator = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' })
const compareNodes = (a: DriveNode, b: DriveNode) =>
  Number(isFolder(b)) - Number(isFolder(a)) || collator.compare(a.name, b.name) || (a.name < b.name ? -1 : 1)

/** Folders first, then files, both by name, at every level (drive 1). */
export const sortTree = (nodes: readonly DriveNode[]): DriveNode[] =>
  [...nodes]
    .sort(compareNodes)
    .map((node) => (node.children.length > 0 ? { ...node, children: sortTree(node.children) } : node))

/** The text without accents and capitals, for comparisons that ignore both. */
const foldText = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The ids of the nodes whose name contains `text`, which is folded, and of the folders above them. */
function findMatches(nodes: readonly DriveNode[], text: string) {
  const matching = new Set<string>()
  const ancestors = new Set<string>()
  const visit = (node: DriveNode): boolean => {
    const below = node.children.map(visit).some(Boolean)
    if (below) ancestors.add(node.id)
    if (foldText(node.name).includes(text)) matching.add(node.id)
    return below || matching.has(node.id)
  }
  nodes.forEach(visit)
  return { matching, ancestors }
}

/** How many files there are, those in subfolders included. */
export const countFiles = (nodes: readonly DriveNode[]): number =>
  nodes.reduce((sum, node) => sum + (isFolder(node) ? countFiles(node.children) : 1), 0)

/**
 * The rows to draw of a sorted tree. A filter expands every folder above a match, no filter expands none;
 * `toggled` holds the ids of the folders that were expanded or collapsed by hand since (drive 2).
 */
export function visibleRows(
  nodes: readonly DriveNode[],
  toggled: ReadonlySet<string>,
  filter: string,
): TreeRow[] {
  const rows: TreeRow[] = []
  const text = foldText(filter.trim())
  const found = text === '' ? null : findMatches(nodes, text)
  const add = (
    siblings: readonly DriveNode[],
    parent: number,
    level: number,
    isInMatchingFolder: boolean,
  ) => {
    const drawn =
      found && !isInMatchingFolder
        ? siblings.filter(({ id }) => found.matching.has(id) || found.ancestors.has(id))
        : siblings
    for (const [offset, node] of drawn.entries()) {
      const isOpen = isFolder(node) && (found?.ancestors.has(node.id) ?? false) !== toggled.has(node.id)
      const index =
        rows.push({ node, parent, level, position: offset + 1, siblingCount: drawn.length, isOpen }) - 1
      if (isOpen)
        add(node.children, index, level + 1, isInMatchingFolder || (found?.matching.has(node.id) ?? false))
    }
  }
  add(nodes, -1, 1, false)
  return rows
}

/** The index of each row by the id of its node. */
export const indexesById = (rows: readonly TreeRow[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ node }, index) => [node.id, index]))

/**
 * The index of the row of this node. Where it is gone, that of the row which followed it among the rows of
 * before, else of the one before it.
 */
export function indexOfNearest(
  indexes: ReadonlyMap<string, number>,
  id: string,
  before: readonly TreeRow[],
): number {
  const own = indexes.get(id)
  if (own !== undefined) return own
  const at = before.findIndex(({ node }) => node.id === id)
  const nearest = [...before.slice(at), ...before.slice(0, at).reverse()]
  return nearest.map(({ node }) => indexes.get(node.id)).find((index) => index !== undefined) ?? 0
}

/**
 * The index of the row to which a key moves from row `at`, or null. `typed` is the text typed so far, this
 * key included; '' for a key that types nothing.
 */
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
      return row && row.parent >= 0 ? row.parent : null
    default: {
      if (typed === '') return null
      const startsWithTyped = ({ node }: TreeRow) => foldText(node.name).startsWith(foldText(typed))
      // A single letter moves on to the next match; further letters may still mean the current row.
      const from = [...typed].length === 1 ? at + 1 : at
      const order = [...rows.keys()].map((index) => (index + from) % rows.length)
      return order.find((index) => startsWithTyped(rows[index]!)) ?? null
    }
  }
}
