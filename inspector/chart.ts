import ELK, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk.bundled.js'
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { type Arrow, arrowsOf, nodesIn } from './arrows.ts'

/** The average width of a letter, in pixels. */
const letterWidth = 6.4
const label = ({ event, guard }: Arrow) => `${event}${guard ? ` [${guard}]` : ''}`
const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const layout = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'POLYLINE',
  'elk.edgeLabels.inline': 'true',
  'elk.layered.spacing.nodeNodeBetweenLayers': '36',
  'elk.spacing.nodeNode': '40',
  'elk.spacing.edgeLabel': '4',
  'elk.json.edgeCoords': 'ROOT',
  'elk.json.shapeCoords': 'ROOT',
}

function box(node: AnyStateNode): ElkNode {
  const children = Object.values(node.states).map(box)
  const width = Math.max(90, node.key.length * 8 + 28)
  const isFirst = node.parent?.initial.target?.[0] === node
  const first = { layoutOptions: { 'elk.layered.layering.layerConstraint': 'FIRST' } }
  if (children.length === 0) return { id: node.id, width, height: 34, ...(isFirst && first) }
  const inner = {
    'elk.padding': '[top=36,left=18,bottom=18,right=18]',
    'elk.nodeSize.constraints': 'MINIMUM_SIZE',
    'elk.nodeSize.minimum': `(${width},60)`,
  }
  return { id: node.id, children, layoutOptions: inner }
}

/**
 * A machine as an SVG, drawn without a browser: each state a group with `data-state`, each transition one
 * with `data-transition`, to be coloured by style. Initial states have the class `initial`.
 */
export async function chartOf(machine: AnyStateMachine): Promise<string> {
  const arrows = arrowsOf(machine)
  const initial = new Set(
    nodesIn(machine.root).flatMap((node) =>
      node.type === 'compound' ? (node.initial.target ?? []).map(({ id }) => id) : [],
    ),
  )
  const keys = new Map(nodesIn(machine.root).map((node) => [node.id, node.key]))
  const drawn: ElkNode = await new ELK().layout({
    id: '',
    layoutOptions: layout,
    children: [box(machine.root)],
    edges: arrows.map((arrow) => ({
      id: arrow.id,
      sources: [arrow.source],
      targets: [arrow.target],
      labels: [
        {
          id: `label ${arrow.id}`,
          text: label(arrow),
          width: label(arrow).length * letterWidth + 8,
          height: 16,
        },
      ],
    })),
  })
  const boxes = (node: ElkNode): string =>
    (keys.has(node.id) ? boxOf(node, keys.get(node.id)!, initial.has(node.id)) : '') +
    (node.children ?? []).map(boxes).join('')
  const { width = 0, height = 0 } = drawn
  const size = `viewBox="-4 -4 ${width + 8} ${height + 8}" width="${Math.ceil(width + 8)}"`
  const lines = (drawn.edges ?? []).map(lineOf).join('')
  const attributes = `class="chart" xmlns="http://www.w3.org/2000/svg" ${size} role="img"`
  return `<svg ${attributes} aria-label="The ${escape(machine.id)} machine">${boxes(drawn)}${lines}</svg>`
}

function boxOf(
  { id, x = 0, y = 0, width = 0, height = 0, children = [] }: ElkNode,
  key: string,
  isInitial: boolean,
): string {
  const place =
    children.length > 0
      ? `x="${x + 12}" y="${y + 22}"`
      : `x="${x + width / 2}" y="${y + height / 2 + 5}" text-anchor="middle"`
  const rect = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`
  const classes = ['state', isInitial && 'initial', children.length === 0 && 'leaf'].filter(Boolean).join(' ')
  const name = `<text ${place}>${escape(key)}</text>`
  return `<g class="${classes}" data-state="${escape(id)}">${rect}${name}</g>`
}

function lineOf({ id, sections = [], labels = [] }: ElkExtendedEdge): string {
  const points = sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [
    startPoint,
    ...bendPoints,
    endPoint,
  ])
  const path = points.map(({ x, y }, at) => `${at ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
  const plates = labels.map(({ x = 0, y = 0, width = 0, height = 0, text = '' }) => {
    const plate = `<rect class="plate" x="${x}" y="${y}" width="${width}" height="${height}"/>`
    return `${plate}<text x="${x + width / 2}" y="${y + 12}" text-anchor="middle">${escape(text)}</text>`
  })
  const arrow = `<path d="${path}"/>${tipOf(points)}`
  return `<g class="transition" data-transition="${escape(id)}">${arrow}${plates.join('')}</g>`
}

type Point = { x: number; y: number }
/** The head of an arrow, in the direction of its last segment. */
function tipOf(points: readonly Point[]): string {
  const [from, to] = points.slice(-2)
  if (!from || !to) return ''
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1
  const [x, y] = [(to.x - from.x) / length, (to.y - from.y) / length]
  const corner = (back: number, aside: number) =>
    `${(to.x - back * x - aside * y).toFixed(1)},${(to.y - back * y + aside * x).toFixed(1)}`
  return `<polygon points="${corner(0, 0)} ${corner(7, 3.5)} ${corner(7, -3.5)}"/>`
}
