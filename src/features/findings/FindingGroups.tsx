import { Tag } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import {
  findingKinds,
  findingsShown,
  type Finding,
  type FindingKind,
  type KindSum,
} from '../../../schemas/api/months/months.ts'
import { sumDollars } from '../../../schemas/dollars.ts'
import { formatCount, formatDollars } from '../../parts/format.ts'
import './findings.css'

/** How many findings of a kind there are, and their sum in dollars, null without amounts. */
export type ShownKind = Pick<KindSum, 'kind' | 'count' | 'sum'>

type Props = {
  /** All of them, or the first of each kind in `kinds`. */
  findings: readonly Finding[]
  kinds?: readonly ShownKind[] | undefined
  /** What stands below the findings of a kind. */
  ofKind?: (findings: readonly Finding[]) => ReactNode
  /** What stands behind one finding. */
  ofOne?: (finding: Finding) => ReactNode
}

/** Findings by kind with count and sum; each leads to its record (months 10). */
export const FindingGroups = ({ findings, kinds = kindSumsOf(findings), ofKind, ofOne }: Props) =>
  groupsOf(findings).map((group) => (
    <FindingGroup
      key={group[0]!.kind}
      findings={group}
      of={kinds.find(({ kind }) => kind === group[0]!.kind)!}
      {...{ ofKind, ofOne }}
    />
  ))

const groupsOf = (findings: readonly Finding[]): Finding[][] =>
  [...new Set(findings.map(({ kind }) => kind))].map((kind) => findings.filter((it) => it.kind === kind))

/** Count and sum of each kind, where all findings are there. */
const kindSumsOf = (findings: readonly Finding[]): ShownKind[] =>
  groupsOf(findings).map((group) => {
    const amounts = group.flatMap(({ amount }) => (amount === null ? [] : [amount]))
    const sum = amounts.length === 0 ? null : sumDollars(amounts)
    return { kind: group[0]!.kind, count: group.length, sum }
  })

/** Kinds with at most so many are shown open. */
const maxOpen = 3

type GroupProps = Pick<Props, 'findings' | 'ofKind' | 'ofOne'> & { of: ShownKind }

const FindingGroup = ({ findings, of: { count, sum }, ofKind, ofOne }: GroupProps) => {
  const [{ kind, what }] = findings as [Finding]
  const rest = count - findingsShown
  return (
    <details className="finding-group" id={kind} open={count <= maxOpen}>
      <summary>
        <span className="finding-what">{findingKinds[kind as FindingKind]?.what ?? what}</span>
        <Tag minimal round>
          {formatCount(count)}
        </Tag>
        {sum !== null && <span className="finding-sum">{formatDollars(sum)}</span>}
      </summary>
      <ul>
        {findings.slice(0, findingsShown).map((it) => (
          <li key={it.key}>
            {it.link ? <Link to={it.link}>{it.where}</Link> : it.where}
            {it.what !== findingKinds[kind as FindingKind]?.what && `: ${it.what}`}
            {ofOne?.(it)}
          </li>
        ))}
      </ul>
      {rest > 0 && <p>and {formatCount(rest)} more, which Month Checklist lists</p>}
      {ofKind?.(findings)}
    </details>
  )
}
