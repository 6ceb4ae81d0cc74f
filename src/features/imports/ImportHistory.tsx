import { Button, HTMLTable } from '@blueprintjs/core'
import { ErrorIcon, InboxIcon } from '@blueprintjs/icons'
import { useActor } from '@xstate/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { undoMachine } from '../../../machines/undo.machine.ts'
import { pageLinks } from '../../../schemas/constants.ts'
import type { Batch, Import } from '../../../schemas/imports/imports.ts'
import { useActorEnvironment } from '../../parts/actorEnvironment.ts'
import { Confirm } from '../../parts/Confirm.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { formatLocalDateTime } from '../../parts/format.ts'
import { Pager } from '../../parts/Pager.tsx'
import { useListAddress } from '../entity/address.ts'
import { useList, type ListMachine } from '../entity/list.ts'
import { BatchTableHead, BatchRow, BatchSkeletonRows } from './ImportBatch.tsx'
import { dollarTotals } from './ImportFigures.tsx'

const sortable: readonly string[] = []

/** The history of one kind of import, whose page stands in the URL, and two ways to read it again. */
export const useImportHistory = (machine: ListMachine) => {
  const address = useListAddress(sortable)
  const [found, send] = useList(machine, address, true)
  const latest = useRef(address)
  useEffect(() => {
    latest.current = address
  })
  const ways = useMemo(() => {
    const reload = () => send({ type: 'reload' })
    return {
      reload,
      /** To the page a new import is on. */
      showNewest: () =>
        latest.current.query.page === 1
          ? reload()
          : latest.current.changeQuery({ page: 1 }, { replace: true }),
    }
  }, [send])
  return { found, address, ...ways }
}
export type ImportHistoryState = ReturnType<typeof useImportHistory>

type Props = { definition: Import; history: ImportHistoryState; undo: typeof undoMachine }

/** Every file of this kind that was imported, newest first; an import can be undone from here. */
export const ImportHistory = ({ definition: it, history: { found, address, reload }, undo }: Props) => {
  const [wired] = useState(() => undo.provide({ actions: { reloadHistory: reload } }))
  const [undoing, send] = useActor(wired, useActorEnvironment())
  const { rows, total, loaded } = found.context
  const batches = rows as readonly Batch[]
  const hasFailed = found.matches('failed')
  const isFirst = !loaded && !hasFailed
  const asked = batches.find(({ id }) => id === undoing.context.batch)
  const has = {
    dates: it.dated === true || batches.some(({ date }) => date !== null),
    sums: batches.some(({ totals }) => dollarTotals(totals).length > 0),
  }
  const frame = useRef<HTMLDivElement>(null)
  const wasAsked = useRef(false)
  const isAsked = asked !== undefined
  useEffect(() => {
    // The page behind is out of reach until the question has gone.
    if (wasAsked.current && !isAsked)
      requestAnimationFrame(() => frame.current?.focus({ preventScroll: true }))
    wasAsked.current = isAsked
  }, [isAsked])
  return (
    <section className="import-history" aria-label="History">
      <h2>History</h2>
      <div className="table-frame">
        <div
          ref={frame}
          className="table-scroll"
          role="region"
          aria-label="Imported files"
          aria-busy={!found.matches('shown') && !hasFailed}
          tabIndex={0}
        >
          <HTMLTable
            compact
            className={`table import-batches${loaded && found.matches('loading') ? ' table-stale' : ''}`}
          >
            <BatchTableHead it={it} has={has} />
            <tbody>
              {isFirst && <BatchSkeletonRows has={has} />}
              {!hasFailed &&
                batches.map((batch) => (
                  <BatchRow
                    key={batch.id}
                    batch={batch}
                    optionalColumns={has}
                    onUndo={() => send({ type: 'ask', batch: batch.id })}
                  />
                ))}
            </tbody>
          </HTMLTable>
        </div>
        {hasFailed && (
          <div className="table-instead">
            <EmptyState
              title="The history could not be loaded"
              icon={<ErrorIcon size={32} />}
              action={<Button text="Try again" onClick={reload} />}
            />
          </div>
        )}
        {loaded && !hasFailed && total === 0 && (
          <div className="table-instead">
            <EmptyState title="Nothing was imported here yet" icon={<InboxIcon size={32} />} />
          </div>
        )}
      </div>
      {total > address.query.size && !hasFailed && (
        <Pager
          page={address.query.page}
          size={address.query.size}
          total={total}
          links={pageLinks}
          href={(page) => address.queryLocation({ page })}
        />
      )}
      {asked && (
        <Confirm
          choices={[
            {
              text: 'Undo the import',
              intent: 'danger',
              loading: undoing.matches('undoing'),
              onClick: () => send({ type: 'confirm' }),
            },
            { text: 'Keep it', onClick: () => send({ type: 'cancel' }) },
          ]}
        >
          Undo the import of “{asked.filename}” by {asked.username} on {formatLocalDateTime(asked.importedat)}
          ? What it added is removed, and what it changed is put back as it was.
        </Confirm>
      )}
    </section>
  )
}
