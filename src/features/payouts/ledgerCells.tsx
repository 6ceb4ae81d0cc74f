import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { ReturnedPayment } from '../../../machines/month.machine.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { settlesPayouts } from '../../../schemas/screenRules.ts'
import { formatDollars } from '../../parts/format.ts'
import { statementPath, type LedgerListRow } from './ledgerRow.ts'

/**
 * What stands in the cells of a payment that lead on: its statements and, for a person who books returns, the
 * way to book that it came back (payouts 15). Nothing for the others.
 */
export const ledgerCells =
  (viewer: Viewer, onReturn: (payment: ReturnedPayment) => void) =>
  (field: string, row: LedgerListRow): ReactNode => {
    if (field === 'statements') return <Statements row={row} />
    if (field !== 'returned' || row.returned !== '' || !settlesPayouts(viewer)) return
    const { id, month, trace, payee, amount, cannotreturn } = row
    return (
      <Button
        size="small"
        variant="minimal"
        text="Book Return"
        disabled={cannotreturn !== null}
        title={cannotreturn ?? undefined}
        aria-label={`Book Return of ${[trace, payee].filter(Boolean).join(', ')}`}
        onClick={() => onReturn({ id, month, trace, payee, amount })}
      />
    )
  }

const Statements = ({ row: { month, statements } }: { row: LedgerListRow }) =>
  statements.map(({ masteragentid, name, amount }, index) => (
    <span key={index} className="payout-statement">
      {masteragentid === null ? (
        <span>{name}</span>
      ) : (
        <Link to={statementPath({ month, masteragentid })} title={name ?? undefined}>
          {name}
        </Link>
      )}
      <span>{formatDollars(amount)}</span>
    </span>
  ))
