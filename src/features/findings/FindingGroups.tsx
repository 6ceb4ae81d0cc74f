import { Tag } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { findingKinds, type Finding, type FindingKind } from '../../../schemas/api/months/months.ts'
import { formatCount, formatDollars } from '../../parts/format.ts'
import './findings.css'

type Props = {
  findings: readonly Finding[]
  /** What stands below the findings of a kind. */
  ofKind?: (findings: readonly Finding[]) => ReactNode
  /** What stands behind one finding. */
  ofOne?: (finding: Finding) => ReactNode
}

/** Findings by kind with count and sum; each leads to its record (months 10). */
export const FindingGroups = ({ findings, ofKind, ofOne }: Props) =>
  groupsOf(findings).map((group) => (
    <FindingGroup key={group[0]!.kind} findings={group} {...{ ofKind, ofOne }} />
  ))

const groupsOf = (findings: readonly Finding[]): Finding[][] =>
  [...new Set(findings.map(({ kind }) => kind))].map((kind) => findings.filter((it) => it.kind === kind))

/** The most findings of a kind that are shown; the report Month Checklist lists all. */
const maxShown = 50
/** Kinds with at most so many are shown open. */
const maxOpen = 3

const FindingGroup = ({ findings, ofKind, ofOne }: Props) => {
  const [{ kind, what }] = findings as [Finding]
  const amounts = findings.flatMap(({ amount }) => (amount === null ? [] : [amount]))
  const rest = findings.length - maxShown
  return (
    <details className="finding-group" id={kind} open={findings.length <= maxOpen}>
      <summary>
        <span className="finding-what">{findingKinds[kind as FindingKind]?.what ?? what}</span>
        <Tag minimal round>
          {formatCount(findings.length)}
        </Tag>
        {amounts.length > 0 && (
          <span className="finding-sum">{formatDollars(amounts.reduce((sum, it) => sum + it, 0))}</span>
        )}
      </summary>
      <ul>
        {findings.slice(0, maxShown).map((it) => (
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
