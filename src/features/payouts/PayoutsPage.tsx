import { Button, Spinner } from '@blueprintjs/core'
import { ErrorIcon } from '@blueprintjs/icons'
import { lazy, Suspense, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { settlesPayouts } from '../../../schemas/api/months.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import '../../parts/parts.css'
import type { DownloadMachine } from '../drive/downloads.ts'
import { useListAddress } from '../entity/address.ts'
import { EntityList } from '../entity/EntityList.tsx'
import { useList, type ListMachine } from '../entity/list.ts'
import { ledgerList } from './ledgerList.ts'
import './payouts.css'
import { useMonth, type MonthMachine } from './payouts.ts'

const MonthPayout = lazy(async () => ({ default: (await import('./MonthPayout.tsx')).MonthPayout }))
const StepDialog = lazy(async () => ({ default: (await import('./StepDialog.tsx')).StepDialog }))

type Props = { month: MonthMachine; ledger: ListMachine; file: DownloadMachine; viewer: Viewer }

/** The payouts of a month, for who settles them, and the payments of the ledger (payouts 15). */
export const PayoutsPage = ({ month, ledger, file, viewer }: Props) => {
  const reloadLedger = useRef(() => {})
  return (
    <section className="entity-page payouts-page">
      <header className="page-head">
        <h1>Payouts</h1>
      </header>
      {settlesPayouts(viewer) && (
        <MonthSection {...{ month, file, viewer }} reloadLedger={() => reloadLedger.current()} />
      )}
      <Ledger list={ledger} reload={reloadLedger} />
    </section>
  )
}

type SectionProps = Omit<Props, 'ledger'> & { reloadLedger: () => void }

const MonthSection = ({ month, file, viewer, reloadLedger }: SectionProps) => {
  const [params, setParams] = useSearchParams()
  const actor = useMonth(month, viewer, params.get('month'), reloadLedger)
  const { snapshot, send } = actor
  const chooseMonth = (chosen: string) => {
    send({ type: 'choose', month: chosen })
    setParams(
      (before) => {
        before.set('month', chosen)
        return before
      },
      { replace: true },
    )
  }
  return (
    <div className="payout-month">
      {snapshot.matches('failed') ? (
        <LoadFailure onReload={() => send({ type: 'load' })} />
      ) : snapshot.context.view.month === null ? (
        <Spinner className="payout-loading" aria-label="Loading the payouts" />
      ) : (
        <Suspense fallback={<Spinner className="payout-loading" aria-label="Loading the payouts" />}>
          <MonthPayout {...actor} file={file} onMonth={chooseMonth} />
        </Suspense>
      )}
      {(snapshot.matches('asking') || snapshot.matches('working')) && (
        <Suspense>
          <StepDialog {...actor} />
        </Suspense>
      )}
    </div>
  )
}

const LoadFailure = ({ onReload }: { onReload: () => void }) => (
  <EmptyState
    title="The payouts could not be loaded"
    icon={<ErrorIcon size={32} />}
    action={<Button intent="primary" text="Try again" onClick={onReload} />}
  >
    Nothing was lost. Try again in a moment.
  </EmptyState>
)

const columns = ledgerList.list.columns.map((column) => column.field)
const allowed = { open: false, create: false, update: false, remove: false }

const Ledger = ({ list, reload }: { list: ListMachine; reload: { current: () => void } }) => {
  const address = useListAddress(columns)
  const [snapshot, send] = useList(list, address, true)
  reload.current = () => send({ type: 'reload' })
  return (
    <section className="payout-ledger">
      <h2>Payments</h2>
      <EntityList
        entity={ledgerList}
        allowed={allowed}
        list={snapshot}
        address={address}
        onReload={() => send({ type: 'reload' })}
      />
    </section>
  )
}
