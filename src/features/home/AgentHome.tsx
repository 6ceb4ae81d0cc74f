import { Button } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { use } from 'react'
import { Link } from 'react-router-dom'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { OwnHome, OwnStatement } from '../../../schemas/api/home.ts'
import { sumDollars } from '../../../schemas/dollars.ts'
import { ticketStatuses } from '../../../schemas/entities/ticket.ts'
import { LoadFailure } from '../../parts/EmptyState.tsx'
import { formatCount, formatDollars, formatLocalDate, formatMonth } from '../../parts/format.ts'
import { useActorEnvironment, useLoadOnMount } from '../../parts/hooks/actorEnvironment.ts'
import { EmailValidationContext } from '../../parts/hooks/emailValidation.ts'
import { statementPath } from '../payouts/ledgerRow.ts'
import { MonthsCard } from './MonthsCard.tsx'
import { formatEffective, statementFigure } from './ownHome.ts'
import './agentHome.css'

type Props = {
  ownHome: typeof loadMachine
  /** Null until it has been validated: tickets need it (tickets 1). */
  email: string | null
}

/** What a person of a branch sees first: the last statement, twelve months and what waits (shell 13). */
export const AgentHome = ({ ownHome, email }: Props) => {
  const [loaded, send] = useActor(ownHome, useActorEnvironment())
  useLoadOnMount(send)
  if (loaded.matches('failed'))
    return (
      <div className="home-card home-own-instead">
        <LoadFailure what="Your statement" onReload={() => send({ type: 'load' })} />
      </div>
    )
  const own = loaded.context.result as OwnHome | null
  if (own === null)
    return <div className="home-own-loading bp6-skeleton" role="status" aria-label="Loading your statement" />
  return (
    <div className="home-own">
      <StatementCard statement={own.statement} before={own.months.at(-2)?.month ?? null} />
      <MonthsCard
        months={own.months}
        total={sumDollars(own.months.map(({ earned }) => earned))}
        // There is a statement where there are months.
        masteragentid={own.statement?.masteragentid ?? 0}
      />
      <WaitingCard own={own} email={email} />
    </div>
  )
}

/** `before` is the month of the statement before it, null for none. */
type StatementProps<T> = { statement: T; before: string | null }

const StatementCard = ({ statement, before }: StatementProps<OwnStatement | null>) => (
  <section className="home-card home-own-card" aria-labelledby="home-statement">
    <h2 id="home-statement">Last Statement</h2>
    {statement === null ? (
      <p>You have no statement of a locked month yet. Your first one stands here.</p>
    ) : (
      <Statement {...{ statement, before }} />
    )}
  </section>
)

const Statement = ({ statement, before }: StatementProps<OwnStatement>) => {
  const { words, amount } = statementFigure(statement)
  const { month, displayid, name, due, payable, paid, carryout, effective, haspayee } = statement
  const isPartlyPaid = paid !== 0 && paid < payable
  return (
    <>
      <p className="home-own-figure">
        <span>{words}</span>
        <strong>{formatDollars(amount)}</strong>
      </p>
      <p>
        {formatMonth(month)}, {displayid} - {name}
      </p>
      <ul className="home-own-notes">
        {paid !== 0 && effective && <li>Effective on {formatEffective(effective)}.</li>}
        {isPartlyPaid && <li>{formatDollars(payable)} is payable in all.</li>}
        {carryout !== 0 && <li>{formatDollars(carryout)} is carried forward.</li>}
        {haspayee && <li>It is paid to another agent, the payee of this one.</li>}
        {due < 0 && <li>The statement is negative: later ones are reduced by it.</li>}
      </ul>
      <Link className="bp6-button bp6-intent-primary" to={statementPath(statement)}>
        Open Statement
      </Link>
      {before !== null && (
        <Link
          className="bp6-button"
          to={`${statementPath(statement, 'statement-compared')}&before=${before}`}
        >
          Compared with {formatMonth(before)}
        </Link>
      )}
    </>
  )
}

const accountTexts = {
  missing: 'No bank account is entered, so nothing can be paid.',
  pending: 'The changed bank account waits until the office confirms it. Nothing is paid until then.',
} as const

const WaitingCard = ({ own, email }: { own: OwnHome; email: string | null }) => {
  const { statement, account, tickets } = own
  const hold = statement?.hold ?? null
  const isEmpty = email !== null && account === 'known' && hold === null && tickets.total === 0
  return (
    <section className="home-card home-own-card" aria-labelledby="home-waiting">
      <h2 id="home-waiting">Open Questions</h2>
      {isEmpty && <p>Nothing waits for you.</p>}
      <ul className="home-own-waiting">
        {email === null && <EmailQuestion />}
        {account !== 'known' && (
          <li>
            {accountTexts[account]} <Link to="/manage/agents">Master Agents</Link>
          </li>
        )}
        {hold !== null && statement && (
          <li>
            {statement.paid > 0
              ? 'Further payments are held'
              : `The payment of ${formatMonth(statement.month)} is held`}
            : {hold}.
          </li>
        )}
        {tickets.newest.map((ticket) => (
          <TicketItem key={ticket.id} ticket={ticket} />
        ))}
        {tickets.total > tickets.newest.length && (
          <li>
            <Link to="/tickets">{`All ${formatCount(tickets.total)} open tickets`}</Link>
          </li>
        )}
      </ul>
    </section>
  )
}

const EmailQuestion = () => {
  const validate = use(EmailValidationContext)
  return (
    <li>
      Support tickets need a validated email. <Button size="small" text="Validate Email" onClick={validate} />
    </li>
  )
}

const TicketItem = ({ ticket }: { ticket: OwnHome['tickets']['newest'][number] }) => (
  <li>
    <Link to={`/tickets?open=${ticket.id}`}>
      Ticket {ticket.id}: {ticket.subject}
    </Link>
    <small>
      {ticketStatuses.find(({ const: id }) => id === ticket.statusid)?.title},{' '}
      {formatLocalDate(ticket.created)}
    </small>
  </li>
)
