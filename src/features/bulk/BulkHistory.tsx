import { Button, Dialog, DialogBody, DialogFooter, HTMLTable, Spinner } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useId, useState } from 'react'
import type { BulkChange } from '../../../schemas/api/bulk/bulk.ts'
import { recordsTitle, type Entity } from '../../../schemas/entities/entity.ts'
import { Confirm, useFocusAfterQuestion } from '../../parts/Confirm.tsx'
import { LoadFailure } from '../../parts/EmptyState.tsx'
import { formatCount, formatLocalDateTime } from '../../parts/format.ts'
import { useActorEnvironment, useLoadOnMount } from '../../parts/hooks/actorEnvironment.ts'
import { useFocusBack } from '../../parts/hooks/focusBack.ts'
import { countOf, type BulkScreenMachines } from './bulk.ts'

type Props = {
  entity: Entity
  machines: BulkScreenMachines
  /** After an undo. */
  onReload: () => void
  onClose: () => void
}

/** The bulk changes, newest first, each with Undo (bulk 5, bulk 6). */
export const BulkHistory = ({ entity, machines, onReload, onClose }: Props) => {
  const environment = useActorEnvironment()
  const [history, sendHistory] = useActor(machines.history, environment)
  useLoadOnMount(sendHistory)
  const [undoWithActions] = useState(() =>
    machines.undo.provide({
      actions: {
        reloadHistory: () => {
          sendHistory({ type: 'load' })
          onReload()
        },
      },
    }),
  )
  const [undo, sendUndo] = useActor(undoWithActions, environment)
  const page = history.context.result as ChangePage | null
  const chosen = page?.data.find(({ id }) => id === undo.context.id)
  const frame = useFocusAfterQuestion(chosen !== undefined, undo.matches('undoing'))
  useFocusBack()
  return (
    <Dialog
      isOpen
      title={`Changes of ${recordsTitle(entity).toLowerCase()}`}
      className="bulk-dialog bulk-history"
      shouldReturnFocusOnClose={false}
      onClose={onClose}
    >
      <DialogBody>
        <div
          ref={frame}
          className="bulk-changes"
          role="region"
          aria-label="Changes that were made"
          tabIndex={0}
        >
          {history.matches('failed') ? (
            <LoadFailure what="The list of changes" onReload={() => sendHistory({ type: 'load' })} />
          ) : (
            <Changes {...{ entity, page }} onUndo={(id) => sendUndo({ type: 'ask', id })} />
          )}
        </div>
      </DialogBody>
      <DialogFooter actions={<Button text="Close" onClick={onClose} />} />
      {chosen && (
        <UndoQuestion
          {...{ entity, chosen }}
          isBusy={undo.matches('undoing')}
          onConfirm={() => sendUndo({ type: 'confirm' })}
          onCancel={() => sendUndo({ type: 'cancel' })}
        />
      )}
    </Dialog>
  )
}

type ChangePage = { data: readonly BulkChange[]; total_length: number }
type TableProps = { entity: Entity; changes: readonly BulkChange[]; onUndo: (id: number) => void }

const Changes = ({ entity, page, onUndo }: Omit<TableProps, 'changes'> & { page: ChangePage | null }) => {
  if (page === null) return <Spinner aria-label="Loading the changes" />
  if (page.data.length === 0) return <p>Nothing was changed together yet.</p>
  return (
    <>
      <ChangeTable {...{ entity, onUndo }} changes={page.data} />
      {page.total_length > page.data.length && (
        <p>
          The latest {formatCount(page.data.length)} of {formatCount(page.total_length)} are shown.
        </p>
      )}
    </>
  )
}

type QuestionProps = {
  entity: Entity
  chosen: BulkChange
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}

const UndoQuestion = ({ entity, chosen, isBusy, onConfirm, onCancel }: QuestionProps) => (
  <Confirm
    choices={[
      { text: 'Undo the change', intent: 'danger', loading: isBusy, onClick: onConfirm },
      { text: 'Keep it', onClick: onCancel },
    ]}
  >
    Undo this change of {countOf(entity, chosen.changed)} by {chosen.username} on{' '}
    {formatLocalDateTime(chosen.at)}? They are put back as they were.
  </Confirm>
)

const ChangeTable = ({ entity, changes, onUndo }: TableProps) => (
  <HTMLTable compact>
    <thead>
      <tr>
        <th scope="col">When</th>
        <th scope="col">What</th>
        <th scope="col" className="table-figures">
          {recordsTitle(entity)}
        </th>
        <th scope="col">State</th>
      </tr>
    </thead>
    <tbody>
      {changes.map((change) => (
        <tr key={change.id}>
          <td>
            <time dateTime={new Date(change.at * 1000).toISOString()}>{formatLocalDateTime(change.at)}</time>
            <span className="bulk-second">by {change.username}</span>
          </td>
          <td>{whatOf(change)}</td>
          <td className="table-figures">
            {formatCount(change.changed)}
            {change.refused > 0 && <span className="bulk-second">{formatCount(change.refused)} refused</span>}
          </td>
          <td>
            <ChangeState change={change} onUndo={() => onUndo(change.id)} />
          </td>
        </tr>
      ))}
    </tbody>
  </HTMLTable>
)

const whatOf = ({ operation, values }: BulkChange) =>
  operation === 'delete'
    ? 'Deleted'
    : values.map(({ title, text }) => `${title}: ${text === '' ? '(empty)' : text}`).join(', ')

const ChangeState = ({ change, onUndo }: { change: BulkChange; onUndo: () => void }) => {
  const id = useId()
  const { state, undo, undoneby, undoneat } = change
  if (state === 'undone')
    return (
      <>
        Undone
        <span className="bulk-second">
          by {undoneby ?? 'somebody'}
          {undoneat !== null && `, ${formatLocalDateTime(undoneat)}`}
        </span>
      </>
    )
  return (
    <>
      <Button
        size="small"
        text="Undo"
        disabled={!undo.allowed}
        aria-label={`Undo the change of ${formatLocalDateTime(change.at)}`}
        aria-describedby={undo.reason === null ? undefined : id}
        onClick={onUndo}
      />
      {undo.reason !== null && (
        <span id={id} className="bulk-second">
          Cannot be undone: {undo.reason}
        </span>
      )}
    </>
  )
}
