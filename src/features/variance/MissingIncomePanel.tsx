import { Button, Callout } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { minWaiverReason } from '../../../schemas/api/months/months.ts'
import {
  estimateBases,
  type MissingMerchant,
  type MissingQuery,
  type MissingReply,
  varianceCalls,
} from '../../../schemas/api/months/variance.ts'
import { pageSizes, reasonText } from '../../../schemas/constants.ts'
import { countNoun } from '../../../schemas/wording.ts'
import { AskText } from '../../forms/dialogs/AskText.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { formatCount, formatDollars, formatLocalDateTime, formatMonth } from '../../parts/format.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import { SearchBox } from '../../parts/SearchBox.tsx'
import '../../parts/parts.css'
import { pageCount } from '../../parts/table/Pager.tsx'
import { PageSteps } from '../../parts/table/PageSteps.tsx'
import type { Head } from '../../parts/table/TableHeads.tsx'
import { useAnswer, useDebouncedText, type PanelProps } from './answer.ts'
import { ExportCsv } from './ExportCsv.tsx'
import { Answered, ChoiceButtons, FramedTable } from './parts.tsx'
import { RecoveredList } from './RecoveredList.tsx'
import './variance.css'

const size = pageSizes[1]

/**
 * Merchants whose income is missing in the twelve months up to this one, and what later files brought
 * (variance 5, variance 8). The address may name what is searched for, as `search`.
 */
export const MissingIncomePanel = (props: PanelProps) => {
  const [params] = useSearchParams()
  const search = params.get('search') ?? ''
  return <MissingIncome key={`${props.month} ${search}`} {...props} search={search} />
}

const maxSearch = varianceCalls.missing.query.properties.search.maxLength

/** The query, of which `change` replaces a part, and what was answered. */
const useFindings = ({ month, machines, search }: PanelProps & { search: string }) => {
  const [query, setQuery] = useState({
    dismissed: 0 as 0 | 1,
    typed: search.slice(0, maxSearch),
    page: 1,
  })
  const { dismissed, typed, page } = query
  const settled = useDebouncedText(typed)
  const call = useMemo(() => {
    const query = { dismissed, search: settled, page, size }
    return { query, machine: machines.missing(month, query) }
  }, [machines, month, dismissed, settled, page])
  const answer = useAnswer<MissingReply, MissingQuery>(call)
  const pages = pageCount(answer.answered?.reply.total_length ?? 0, size)
  useEffect(() => {
    // The last finding of the last page was dismissed.
    if (answer.state === 'shown' && page > pages) setQuery((before) => ({ ...before, page: pages }))
  }, [answer.state, page, pages])
  const change = (changed: Partial<typeof query>) => setQuery({ ...query, page: 1, ...changed })
  return { query, settled, answer, change }
}
type Findings = ReturnType<typeof useFindings>

const MissingIncome = (props: PanelProps & { search: string }) => {
  const { month, machines } = props
  const findings = useFindings(props)
  const [chosen, setChosen] = useState<MissingMerchant | null>(null)
  const section = useRef<HTMLElement>(null)
  const closeDialog = () => {
    setChosen(null)
    requestAnimationFrame(() => section.current?.focus({ preventScroll: true }))
  }
  return (
    <section className="variance" aria-label="Missing Income" tabIndex={-1} ref={section}>
      <FindingTools {...findings} {...{ month, machines }} />
      <Answered answer={findings.answer} what="The missing income">
        {(reply, of) => <FindingList {...findings} {...{ reply, of }} onDismiss={setChosen} />}
      </Answered>
      {chosen && (
        <DismissDialog
          month={month}
          machines={machines}
          finding={chosen}
          onClose={closeDialog}
          onDismissed={findings.answer.reload}
        />
      )}
      <RecoveredList month={month} machines={machines} />
    </section>
  )
}

/** They stay while rows are loaded and when that fails, because the focus is in them. */
const FindingTools = ({ query, settled, answer, change, ...panel }: Findings & PanelProps) => {
  const { missing, dismissed } = answer.answered?.reply ?? {}
  const noted = (sums: typeof missing) => (sums ? { note: formatCount(sums.merchants) } : {})
  return (
    <div className="variance-tools">
      <ChoiceButtons
        label="Findings"
        options={[
          { value: 'missing', text: 'Missing', ...noted(missing) },
          { value: 'dismissed', text: 'Dismissed', ...noted(dismissed) },
        ]}
        value={query.dismissed === 1 ? 'dismissed' : 'missing'}
        onChoose={(value) => change({ dismissed: value === 'dismissed' ? 1 : 0 })}
      />
      <SearchBox
        label="Search missing income"
        placeholder="Search XMID or DBA"
        maxLength={maxSearch}
        value={query.typed}
        onChange={(typed) => change({ typed })}
      />
      <ExportCsv {...panel} of="missingFile" query={{ dismissed: query.dismissed, search: settled }} />
    </div>
  )
}

type ListProps = Findings & {
  reply: MissingReply
  of: MissingQuery
  onDismiss: (finding: MissingMerchant) => void
}

const FindingList = ({ answer, change, reply, of, onDismiss }: ListProps) => (
  <>
    <Balance reply={reply} />
    {reply.total_length === 0 ? (
      <NothingMissing search={of.search ?? ''} dismissed={of.dismissed ?? 0} />
    ) : (
      <>
        <FindingTable reply={reply} dismissed={of.dismissed ?? 0} onDismiss={onDismiss} />
        <PageSteps
          page={of.page ?? 1}
          size={size}
          total={reply.total_length}
          isBusy={answer.state === 'loading'}
          onPage={(page) => change({ page })}
        />
      </>
    )}
  </>
)

const Balance = ({ reply: { month, missing, months } }: { reply: MissingReply }) =>
  missing.months === 0 ? null : (
    <Callout compact icon={false} className="variance-balance">
      {countNoun(missing.merchants, 'merchant')} and {countNoun(missing.months, 'month')} without a row in any
      file, in the twelve months up to {formatMonth(month)}:{' '}
      <strong>{formatDollars(missing.estimate)}</strong> by estimate
      <ul className="variance-months" aria-label="By month">
        {months.map((it) => (
          <li key={it.month}>
            {formatMonth(it.month)}: {formatCount(it.merchants)}
            {it.estimate !== null && `, ${formatDollars(it.estimate)}`}
          </li>
        ))}
      </ul>
    </Callout>
  )

const NothingMissing = ({ search, dismissed }: { search: string; dismissed: 0 | 1 }) =>
  search !== '' ? (
    <EmptyState title={`Nothing matches “${search}”`}>
      Check the spelling, or search for less of it.
    </EmptyState>
  ) : dismissed === 1 ? (
    <EmptyState title="Nothing is dismissed">What is dismissed with a reason is listed here.</EmptyState>
  ) : (
    <EmptyState title="No income is missing">
      Active merchants with volume or an approval are listed here once a file of their processor has come
      without them.
    </EmptyState>
  )

type TableProps = { reply: MissingReply; dismissed: 0 | 1; onDismiss: (finding: MissingMerchant) => void }

const FindingTable = ({ reply: { data, candismiss }, dismissed, onDismiss }: TableProps) => {
  const last: Head[] =
    dismissed === 1 ? [{ text: 'Dismissed' }] : candismiss ? [{ text: 'Dismiss', isHidden: true }] : []
  return (
    <FramedTable
      label="Merchants in no file"
      heads={[
        { text: 'Merchant' },
        { text: 'Processor' },
        { text: 'Months' },
        { text: 'Estimate', isFigure: true },
        ...last,
      ]}
    >
      {data.map((finding) => (
        <tr key={finding.xmid}>
          <th scope="row" className="table-first table-name">
            <Link to={finding.link}>{finding.xmid}</Link>
            <div className="variance-note">{finding.name}</div>
            <div className="variance-note">{finding.agent}</div>
          </th>
          <td>{finding.processor}</td>
          <td>
            <MonthLines finding={finding} />
          </td>
          <td className="table-figures">
            {finding.estimate === null ? 'Not known' : formatDollars(finding.estimate)}
          </td>
          {dismissed === 1 ? (
            <td className="table-message">
              {finding.reason}
              <div className="variance-note">
                {finding.dismissedby}, {formatLocalDateTime(finding.dismissedat ?? 0)}
              </div>
            </td>
          ) : (
            candismiss && (
              <td>
                <Button
                  size="small"
                  variant="minimal"
                  text="Dismiss"
                  aria-label={`Dismiss ${finding.xmid} ${finding.name}`}
                  onClick={() => onDismiss(finding)}
                />
              </td>
            )
          )}
        </tr>
      ))}
    </FramedTable>
  )
}

const MonthLines = ({ finding: { months } }: { finding: MissingMerchant }) => (
  <ul className="variance-lines">
    {months.map(({ month, volume, estimate, basis }) => (
      <li key={month}>
        {formatMonth(month)}
        {estimate !== null && basis !== null && `: ${formatDollars(estimate)}`}
        <span className="variance-note">
          {basis !== null && ` ${estimateBases[basis]}`}
          {volume !== 0 && `${basis === null ? ' ' : ', '}volume ${formatDollars(volume)}`}
        </span>
      </li>
    ))}
  </ul>
)

type DismissProps = PanelProps & { finding: MissingMerchant; onClose: () => void; onDismissed: () => void }

const DismissDialog = ({ month, machines, finding, onClose, onDismissed }: DismissProps) => {
  const [machine] = useState(() =>
    machines.dismiss(month).provide({
      actions: {
        reloadRecord: () => {
          onClose()
          onDismissed()
        },
      },
    }),
  )
  const [snapshot, send] = useActor(machine, useActorEnvironment())
  useEffect(() => send({ type: 'ask', subject: { name: finding.xmid, id: 0, version: 0 } }), [send, finding])
  return (
    <AskText
      title={`Dismiss ${finding.xmid} ${finding.name}`}
      text="Dismiss"
      intent="primary"
      draftId={['dismiss', month, finding.xmid, JSON.stringify(finding.months)]}
      busy={snapshot.matches('deciding')}
      label="Reason"
      minLength={minWaiverReason}
      maxLength={reasonText.max}
      fault={snapshot.context.faults.reason}
      onCancel={onClose}
      onText={(text) => send({ type: 'decide', text })}
    >
      <p>
        {countNoun(finding.months.length, 'month')},{' '}
        {finding.estimate === null ? 'no estimate' : formatDollars(finding.estimate)}. It stays dismissed
        until the volume or the estimate of a month changes, or another month is missing.
      </p>
    </AskText>
  )
}
