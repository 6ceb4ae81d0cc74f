import { Button, HTMLTable } from '@blueprintjs/core'
import { ErrorIcon, InboxIcon } from '@blueprintjs/icons'
import { useActor } from '@xstate/react'
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import type { undoMachine } from '../../../machines/undo.machine.ts'
import { pageLinks } from '../../../schemas/constants.ts'
import type { Batch, Import } from '../../../schemas/imports/imports.ts'
import { Confirm, useFocusAfterQuestion } from '../../parts/Confirm.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { formatLocalDateTime } from '../../parts/format.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import { Pager } from '../../parts/table/Pager.tsx'
import { useListAddress } from '../entity/address.ts'
import { useList, type ListMachine } from '../entity/list.ts'
import { BatchTableHead, BatchRow, BatchSkeletonRows } from './ImportBatch.tsx'
import { dollarTotals } from './ImportFigures.tsx'

const sortableFields: readonly string[] = []

/** The history of one kind of import, whose page is in the URL. */
export const useImportHistory = (machine: ListMachine) => {
  const address = useListAddress(sortableFields)
  const [list, send] = useList(machine, address)
  const latestAddress = useRef(address)
  useEffect(() => {
    latestAddress.current = address
  })
  const actions = useMemo(() => {
    const reload = () => send({ type: 'reload' })
    return {
      reload,
      /** Loads the first page, where a new import is. */
      showNewest: () =>
        latestAddress.current.query.page === 1
          ? reload()
          : latestAddress.current.changeQuery({ page: 1 }, { replace: true }),
    }
  }, [send])
  return { list, address, ...actions }
}
/** The import that the address names alone: `?batch=12`; null where it names none. */
export const readBatch = (params: URLSearchParams): number | null => {
  const named = params.get('batch') ?? ''
  return /^[1-9]\d{0,8}$/.test(named) ? Number(named) : null
}

type ImportHistoryState = ReturnType<typeof useImportHistory>

type Props = {
  definition: Import
  history: ImportHistoryState
  undo: typeof undoMachine
  /** The import that is shown alone. */
  batch: number | null
  /** The imports that are under way, above those that ended. */
  children: ReactNode
}

/** Every imported file of this kind, newest first, each with Undo (imports 21, imports 22). */
export const ImportHistory = ({ definition, history, undo, batch, children }: Props) => {
  const { list, address, reload } = history
  const [undoWithActions] = useState(() => undo.provide({ actions: { reloadHistory: reload } }))
  const [undoSnapshot, send] = useActor(undoWithActions, useActorEnvironment())
  const { rows, total } = list.context
  const batchToUndo = (rows as readonly Batch[]).find(({ id }) => id === undoSnapshot.context.id)
  const frame = useFocusAfterQuestion(batchToUndo !== undefined, undoSnapshot.matches('undoing'))
  return (
    <section className="import-history" aria-label="History">
      <h2>History</h2>
      {children}
      {batch !== null && (
        <p className="import-one">
          {rows.length > 0 && 'One import is shown. '}
          <Link to={definition.path}>Show all</Link>
        </p>
      )}
      <BatchTable
        {...{ definition, list, frame }}
        nothing={
          batch === null ? 'Nothing was imported here yet' : 'There is no import with this number here'
        }
        onUndo={(batch) => send({ type: 'ask', id: batch.id })}
        onReload={reload}
      />
      {total > address.query.size && !list.matches('failed') && (
        <Pager
          page={address.query.page}
          size={address.query.size}
          total={total}
          shown={list.context.shown}
          links={pageLinks}
          href={(page) => address.queryLocation({ page })}
        />
      )}
      {batchToUndo && (
        <Confirm
          choices={[
            {
              text: 'Undo the import',
              intent: 'danger',
              loading: undoSnapshot.matches('undoing'),
              onClick: () => send({ type: 'confirm' }),
            },
            { text: 'Keep it', onClick: () => send({ type: 'cancel' }) },
          ]}
        >
          Undo the import of “{batchToUndo.filename}” by {batchToUndo.username} on{' '}
          {formatLocalDateTime(batchToUndo.importedat)}? What it added is removed, and what it changed is put
          back as it was.
        </Confirm>
      )}
    </section>
  )
}

type BatchTableProps = {
  definition: Import
  list: ImportHistoryState['list']
  frame: RefObject<HTMLDivElement | null>
  /** What stands in place of the rows where there are none. */
  nothing: string
  onUndo: (batch: Batch) => void
  onReload: () => void
}

const BatchTable = ({ definition, list, frame, nothing, onUndo, onReload }: BatchTableProps) => {
  const { rows, total, loaded } = list.context
  const batches = rows as readonly Batch[]
  const hasFailed = list.matches('failed')
  const optionalColumns = {
    dates: definition.dated === true || batches.some(({ date }) => date !== null),
    sums: batches.some(({ totals }) => dollarTotals(totals).length > 0),
  }
  return (
    <div className="table-frame">
      <div
        ref={frame}
        className="table-scroll"
        role="region"
        aria-label="Imported files"
        aria-busy={!list.matches('shown') && !hasFailed}
        tabIndex={0}
      >
        <HTMLTable
          compact
          className={`table import-batches${loaded && list.matches('loading') ? ' table-stale' : ''}`}
        >
          <BatchTableHead {...{ definition, optionalColumns }} />
          <tbody>
            {!loaded && !hasFailed && <BatchSkeletonRows optionalColumns={optionalColumns} />}
            {!hasFailed &&
              batches.map((batch) => (
                <BatchRow key={batch.id} {...{ batch, optionalColumns }} onUndo={() => onUndo(batch)} />
              ))}
          </tbody>
        </HTMLTable>
      </div>
      {hasFailed && (
        <div className="table-instead">
          <EmptyState
            title="The history could not be loaded"
            icon={<ErrorIcon size={32} />}
            action={<Button text="Try again" onClick={onReload} />}
          />
        </div>
      )}
      {loaded && !hasFailed && total === 0 && (
        <div className="table-instead">
          <EmptyState title={nothing} icon={<InboxIcon size={32} />} />
        </div>
      )}
    </div>
  )
}
