import { Callout, Tag, type Intent } from '@blueprintjs/core'
import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  varianceKinds,
  varianceLevels,
  varianceSpans,
  type VarianceKind,
  type VarianceLevel,
  type VarianceReply,
  type VarianceRow,
  type VarianceSpan,
} from '../../../schemas/api/months/variance.ts'
import { pageSizes } from '../../../schemas/constants.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { formatCount, formatDollars, formatMonth } from '../../parts/format.ts'
import { PageSteps } from '../../parts/table/PageSteps.tsx'
import '../../parts/parts.css'
import { useAnswer, type PanelProps } from './answer.ts'
import { ExportCsv } from './ExportCsv.tsx'
import { Answered, ChoiceButtons, formatChange, FramedTable } from './parts.tsx'
import './variance.css'

const size = pageSizes[1]
const entriesOf = <K extends string>(table: Readonly<Record<K, string>>) =>
  (Object.entries(table) as [K, string][]).map(([value, text]) => ({ value, text }))

/** What changed from the month before, or from the same month a year before, to this one (variance 1). */
export const VariancePanel = (props: PanelProps) => <Variance key={props.month} {...props} />

type Query = { by: VarianceLevel; against: VarianceSpan; kind: VarianceKind | ''; page: number }

const Variance = ({ month, machines }: PanelProps) => {
  const [query, setQuery] = useState<Query>({ by: 'merchant', against: 'last', kind: '', page: 1 })
  const call = useMemo(
    () => ({ query, machine: machines.compare(month, { ...query, size }) }),
    [machines, month, query],
  )
  const answer = useAnswer<VarianceReply, Query>(call)
  const change = (changed: Partial<Query>) => setQuery({ ...query, page: 1, ...changed })
  return (
    <section className="variance" aria-label="Variance">
      <div className="variance-tools">
        <ChoiceButtons
          label="Compared by"
          options={entriesOf(varianceLevels)}
          value={query.by}
          onChoose={(by) => change({ by, kind: '' })}
        />
        <ChoiceButtons
          label="Compared with"
          options={entriesOf(varianceSpans)}
          value={query.against}
          onChoose={(against) => change({ against, kind: '' })}
        />
        <ExportCsv
          {...{ month, machines }}
          of="compareFile"
          query={{ by: query.by, against: query.against, kind: query.kind }}
        />
      </div>
      <Answered answer={answer} what="The variance">
        {(reply, of) =>
          reply.totals.count === 0 ? (
            <EmptyState title="Nothing to compare">
              Neither {formatMonth(reply.month)} nor {formatMonth(reply.against)} holds income.
            </EmptyState>
          ) : (
            <>
              <Balance reply={reply} />
              <ChoiceButtons
                label="Kinds"
                options={kindOptions(reply)}
                value={query.kind}
                onChoose={(kind) => change({ kind })}
              />
              <RowTable reply={reply} by={of.by} kind={of.kind} />
              <PageSteps
                page={of.page}
                size={size}
                total={reply.total_length}
                isBusy={answer.state === 'loading'}
                onPage={(page) => setQuery({ ...query, page })}
              />
            </>
          )
        }
      </Answered>
    </section>
  )
}

const kindOptions = ({ totals, kinds }: VarianceReply) => [
  { value: '' as const, text: 'All', note: formatCount(totals.count) },
  ...kinds.map(({ kind, count, change }) => ({
    value: kind,
    text: varianceKinds[kind],
    note: `${formatCount(count)}, ${formatChange(change)}`,
  })),
]

const Balance = ({ reply: { month, against, state, againststate, totals } }: { reply: VarianceReply }) => {
  const before = `${formatMonth(against)} (${againststate}) ${formatDollars(totals.before)}`
  const now = `${formatMonth(month)} (${state}) ${formatDollars(totals.now)}`
  return (
    <Callout compact icon={false} className="variance-balance">
      {before}, {now}: <strong>{formatChange(totals.change)}</strong>
    </Callout>
  )
}

const firstHeads: Record<VarianceLevel, string> = {
  processor: 'Processor',
  agent: 'Master Agent',
  merchant: 'Merchant',
}

type TableProps = { reply: VarianceReply; by: VarianceLevel; kind: VarianceKind | '' }

const RowTable = ({ reply, by, kind }: TableProps) => {
  const { month, against, totals, kinds, data } = reply
  const sums = kind === '' ? totals : (kinds.find((it) => it.kind === kind) ?? totals)
  return (
    <FramedTable
      label={`Variance by ${firstHeads[by]}`}
      heads={[
        { text: firstHeads[by] },
        { text: 'Kind' },
        { text: formatMonth(against), isFigure: true },
        { text: formatMonth(month), isFigure: true },
        { text: 'Change', isFigure: true },
      ]}
      foot={
        <tr>
          <th scope="row" className="table-first">
            {kind === '' ? 'All' : varianceKinds[kind]} ({formatCount(sums.count)})
          </th>
          <td />
          <td className="table-figures">{formatDollars(sums.before)}</td>
          <td className="table-figures">{formatDollars(sums.now)}</td>
          <td className="table-figures">{formatChange(sums.change)}</td>
        </tr>
      }
    >
      {data.map((row) => (
        <Row key={row.id} row={row} />
      ))}
    </FramedTable>
  )
}

const intents: Record<VarianceKind, Intent> = {
  new: 'success',
  lost: 'danger',
  silent: 'warning',
  moved: 'primary',
  rate: 'primary',
  changed: 'none',
  same: 'none',
}

const Row = ({ row: { id, name, kind, before, now, change, detail, link } }: { row: VarianceRow }) => (
  <tr>
    <th scope="row" className="table-first table-name">
      <Link to={link}>{id}</Link>
      {name !== id && <div className="variance-note">{name}</div>}
    </th>
    <td>
      <Tag minimal intent={intents[kind]}>
        {varianceKinds[kind]}
      </Tag>
      {detail !== null && <div className="variance-note">{detail}</div>}
    </td>
    <td className="table-figures">{formatDollars(before)}</td>
    <td className="table-figures">{formatDollars(now)}</td>
    <td className={`table-figures ${change < 0 ? 'variance-less' : ''}`}>{formatChange(change)}</td>
  </tr>
)
