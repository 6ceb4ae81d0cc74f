import { Button, ButtonGroup, Spinner } from '@blueprintjs/core'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ReturnedPayment } from '../../../machines/month.machine.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { settlesPayouts } from '../../../schemas/screenRules.ts'
import type { DownloadMachine } from '../../parts/downloads.ts'
import { LoadFailure } from '../../parts/EmptyState.tsx'
import { formatMonth } from '../../parts/format.ts'
import '../../parts/parts.css'
import '../../parts/table/narrowTables.css'
import { loadable } from '../../parts/loadable.tsx'
import { EntityList } from '../entity/EntityList.tsx'
import { useList, type ListMachine } from '../entity/list.ts'
import { useListLayout } from '../entity/list/layout.ts'
import './payouts.css'
import { ledgerCells } from './ledgerCells.tsx'
import { ledgerListFor } from './ledgerList.ts'
import type { LedgerListRow } from './ledgerRow.ts'
import { useMonth, type MonthActor, type MonthMachine } from './payouts.ts'
import { ReadReturnFile, type ReturnFile } from './ReturnFile.tsx'

const MonthPayout = loadable(
  async () => (await import('./MonthPayout.tsx')).MonthPayout,
  <Spinner className="payout-loading" aria-label="Loading the payouts" />,
)
const StepDialog = loadable(async () => (await import('./StepDialog.tsx')).StepDialog)

type Props = {
  month: MonthMachine
  ledger: ListMachine
  file: DownloadMachine
  returnFile: ReturnFile
  viewer: Viewer
}

/** The payouts of a month, for those who settle them, and the payments of the ledger (payouts 15). */
export const PayoutsPage = ({ month, ledger, file, returnFile, viewer }: Props) => {
  const reloadLedger = useRef(() => {})
  const reloadMonth = useRef(() => {})
  const [returned, setReturned] = useState<ReturnedPayment | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  return (
    <section className="entity-page payouts-page">
      <header className="page-head">
        <h1>Payouts</h1>
      </header>
      {settlesPayouts(viewer) && (
        <MonthSection
          {...{ month, file, viewer, returned }}
          onAsked={() => setReturned(null)}
          onShown={setShown}
          reload={reloadMonth}
          reloadLedger={() => reloadLedger.current()}
        />
      )}
      <Ledger
        list={ledger}
        month={settlesPayouts(viewer) ? shown : ''}
        viewer={viewer}
        reload={reloadLedger}
        onReturn={setReturned}
      >
        {settlesPayouts(viewer) && (
          <ReadReturnFile
            returnFile={returnFile}
            onBooked={() => {
              reloadMonth.current()
              reloadLedger.current()
            }}
          />
        )}
      </Ledger>
    </section>
  )
}

type SectionProps = Omit<Props, 'ledger' | 'returnFile'> & {
  /** What reads the month again that is shown. */
  reload: { current: () => void }
  reloadLedger: () => void
  /** A payment whose return is to be asked about, until it is. */
  returned: ReturnedPayment | null
  onAsked: () => void
  /** Called with the month that is shown, '' where none can be. */
  onShown: (month: string) => void
}

const MonthSection = (props: SectionProps) => {
  const { month, file, viewer, reload, reloadLedger, onShown } = props
  const [params, setParams] = useSearchParams()
  const wanted = params.get('month')
  const actor = useMonth(month, viewer, wanted, reloadLedger)
  const { snapshot, send } = actor
  const followed = useFollowedMonth(actor, wanted)
  const shown = snapshot.context.view.month?.month
  const known = shown ?? (snapshot.matches('failed') ? '' : null)
  useEffect(() => {
    if (known !== null) onShown(known)
  }, [known, onShown])
  reload.current = () => shown !== undefined && send({ type: 'choose', month: shown })
  const chooseMonth = (chosen: string) => {
    followed.current = chosen
    send({ type: 'choose', month: chosen })
    setParams(
      (before) => {
        before.set('month', chosen)
        if (before.get(payments) !== allMonths) before.delete('page')
        return before
      },
      { replace: true },
    )
  }
  useReturnOf(props, actor, chooseMonth)
  return (
    <div className="payout-month">
      {snapshot.matches('failed') ? (
        <LoadFailure what="The payouts" onReload={() => send({ type: 'load' })} />
      ) : snapshot.context.view.month === null ? (
        <Spinner className="payout-loading" aria-label="Loading the payouts" />
      ) : (
        <MonthPayout {...actor} file={file} onMonth={chooseMonth} />
      )}
      {(snapshot.matches('asking') || snapshot.matches('working')) && <StepDialog {...actor} />}
    </div>
  )
}

/**
 * Shows the month of the address when Back or a link has changed it, and leaves a question about another one.
 * Returns what was asked for last, which a choice on the screen sets before it changes the address.
 */
const useFollowedMonth = ({ snapshot, send }: MonthActor, wanted: string | null) => {
  const latest = useRef(wanted)
  const isAsking = snapshot.matches('asking')
  const canChoose = snapshot.can({ type: 'choose', month: wanted })
  useEffect(() => {
    if (wanted === latest.current) return
    if (isAsking) return send({ type: 'cancel' })
    if (!canChoose) return
    latest.current = wanted
    send({ type: 'choose', month: wanted })
  }, [wanted, isAsking, canChoose, send])
  return latest
}

/** Asks about the return of a payment, in its month: the one that is shown, or else once it is. */
const useReturnOf = (
  { returned, onAsked }: Pick<SectionProps, 'returned' | 'onAsked'>,
  { snapshot, send }: MonthActor,
  chooseMonth: (month: string) => void,
) => {
  const chosenFor = useRef<ReturnedPayment | null>(null)
  const shown = snapshot.context.view.month?.month
  useEffect(() => {
    if (returned === null) return
    const isShown = shown === returned.month
    if (isShown && snapshot.can({ type: 'bookReturn', payment: returned })) {
      send({ type: 'bookReturn', payment: returned })
      onAsked()
    } else if (!isShown && chosenFor.current !== returned && snapshot.can({ type: 'choose', month: null })) {
      chosenFor.current = returned
      chooseMonth(returned.month)
    }
  })
}

const allowed = { open: false, create: false, update: false, remove: false }

const payments = 'payments'
const allMonths = 'all'

/** The month whose payments are listed ('' for all, null while it is not known), and what changes it. */
const usePaymentsOf = (month: string | null) => {
  const [params, setParams] = useSearchParams()
  const chooseAll = (isAll: boolean) =>
    setParams(
      (before) => {
        before.delete('page')
        if (isAll) before.set(payments, allMonths)
        else before.delete(payments)
        return before
      },
      { replace: true },
    )
  return [params.get(payments) === allMonths ? '' : month, chooseAll] as const
}

type HeadProps = { month: string; isAll: boolean; onAll: (isAll: boolean) => void }

/** Says which payments are listed, and offers those of the month and those of all. */
const PaymentsHead = ({ month, isAll, onAll }: HeadProps) => (
  <div className="payout-head">
    <h2>Payments of {isAll ? 'All Months' : formatMonth(month)}</h2>
    <ButtonGroup role="group" aria-label="Payments of">
      {[false, true].map((all) => (
        <Button
          key={String(all)}
          text={all ? 'All Months' : formatMonth(month)}
          active={all === isAll}
          aria-pressed={all === isAll}
          onClick={() => onAll(all)}
        />
      ))}
    </ButtonGroup>
  </div>
)

type LedgerProps = {
  list: ListMachine
  /** The month beside which the payments stand; '' beside none, null while it is not known. */
  month: string | null
  viewer: Viewer
  reload: { current: () => void }
  onReturn: (payment: ReturnedPayment) => void
  children: ReactNode
}

const Ledger = ({ list, month, viewer, reload, onReturn, children }: LedgerProps) => {
  const [entity] = useState(() => ledgerListFor(viewer))
  const { address, layout } = useListLayout(entity, viewer)
  const [ofMonth, chooseAll] = usePaymentsOf(month)
  const asked = useMemo(
    () => ({ ...address, query: { ...address.query, filter: ofMonth ?? '' } }),
    [address, ofMonth],
  )
  const [snapshot, send] = useList(list, asked, ofMonth !== null)
  reload.current = () => send({ type: 'reload' })
  const cells = useMemo(() => ledgerCells(viewer, onReturn), [viewer, onReturn])
  return (
    <section className="payout-ledger">
      {month ? <PaymentsHead month={month} isAll={ofMonth === ''} onAll={chooseAll} /> : <h2>Payments</h2>}
      {children}
      <EntityList
        entity={entity}
        allowed={allowed}
        list={snapshot}
        address={address}
        layout={layout}
        content={({ field }, row) => cells(field, row as unknown as LedgerListRow)}
        onReload={() => send({ type: 'reload' })}
      />
    </section>
  )
}
