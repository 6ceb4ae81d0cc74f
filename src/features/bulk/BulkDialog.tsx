import { Button, Dialog, DialogBody, DialogFooter, Spinner } from '@blueprintjs/core'
import { useId, useState } from 'react'
import type { EventFromLogic, SnapshotFrom } from 'xstate'
import type { bulkMachine } from '../../../machines/bulk.machine.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'
import type { SearchRecords } from '../../forms/context.ts'
import { useFocusBack } from '../../parts/hooks/focusBack.ts'
import { useDraft } from '../../parts/unsaved/useDraft.tsx'
import { countOf, type BulkOfList } from './bulk.ts'
import { BulkPreviewed } from './BulkPreviewed.tsx'
import { ValueForm, type ChosenValue } from './ValueForm.tsx'

type Snapshot = SnapshotFrom<typeof bulkMachine>
type Props = {
  entity: Entity
  bulk: BulkOfList
  snapshot: Snapshot
  send: (event: EventFromLogic<typeof bulkMachine>) => void
  count: number
  searchRecords: SearchRecords | undefined
}

const verbs = { set: 'Set a field of', reassign: 'Reassign', remove: 'Delete' }

/** Field and value, the preview, and the commit (bulk 3). Rendered only while something is being changed. */
export const BulkDialog = (props: Props) => {
  const { entity, bulk, snapshot, send, count, searchRecords } = props
  const { operation, faults, preview } = snapshot.context
  const formId = useId()
  const { draft, chosen, choose } = useChosen(props)
  const isBusy = snapshot.matches('committing')
  useFocusBack()
  return (
    <Dialog
      isOpen
      title={`${verbs[operation]} ${countOf(entity, count)}`}
      className="bulk-dialog"
      canOutsideClickClose={false}
      shouldReturnFocusOnClose={false}
      transitionDuration={100}
      onClose={() => send({ type: 'cancel' })}
    >
      <DialogBody>
        {snapshot.matches('choosing') && (
          <>
            {draft.offer}
            <ValueForm
              key={draft.restored ? 'restored' : 'fresh'}
              {...{ entity, bulk, formId, faults, searchRecords, chosen }}
              isFixed={operation === 'reassign'}
              onChosen={choose}
              onValues={(values) => {
                draft.forget()
                send({ type: 'preview', values })
              }}
            />
          </>
        )}
        {snapshot.matches('previewing') && (
          <div className="bulk-waiting" role="status">
            <Spinner size={20} aria-hidden /> Working out what would change…
          </div>
        )}
        {(snapshot.matches('previewed') || isBusy) && preview && (
          <BulkPreviewed entity={entity} preview={preview} removes={operation === 'remove'} />
        )}
        {snapshot.matches('changedMeanwhile') && (
          <p role="alert">
            These records are no longer as the preview showed them: somebody else changed some meanwhile.
            Nothing was stored.
          </p>
        )}
        {snapshot.matches('failed') && (
          <p role="alert">
            The change failed, or its answer was lost. Look again before you repeat it: what was stored
            already would stay as it is.
          </p>
        )}
      </DialogBody>
      <DialogFooter actions={<Actions {...props} formId={formId} isBusy={isBusy} />} />
    </Dialog>
  )
}

/**
 * Field and value, which are stored as a draft when the session ends; the selection of the records is not
 * (lists 12).
 */
const useChosen = ({ entity, bulk: { operations }, snapshot }: Props) => {
  const { operation } = snapshot.context
  const fields = operation === 'reassign' ? [operations.reassign ?? ''] : operations.fields
  const [chosen, setChosen] = useState<ChosenValue>({ field: fields[0] ?? '', values: {} })
  const draft = useDraft(operation === 'remove' ? null : ['bulk', entity.name, operation], {
    isOffered: ({ field }) => fields.includes(String(field)),
    onRestore: (it) => setChosen(it as ChosenValue),
  })
  const choose = (it: ChosenValue) => {
    setChosen(it)
    draft.type(Object.keys(it.values).length > 0 ? it : null)
  }
  return { draft, chosen, choose }
}

type ActionsProps = Props & { formId: string; isBusy: boolean }

const Actions = ({ entity, snapshot, send, formId, isBusy }: ActionsProps) => {
  const { operation, preview } = snapshot.context
  const isShown = snapshot.matches('previewed') || isBusy
  const hasFailed = snapshot.matches('changedMeanwhile') || snapshot.matches('failed')
  return (
    <>
      <Button text="Cancel" disabled={isBusy} onClick={() => send({ type: 'cancel' })} />
      {snapshot.matches('choosing') && <Button text="Preview" intent="primary" type="submit" form={formId} />}
      {isShown && operation !== 'remove' && (
        <Button text="Back" disabled={isBusy} onClick={() => send({ type: 'back' })} />
      )}
      {isShown && preview && (
        <Button
          text={`${operation === 'remove' ? 'Delete' : 'Change'} ${countOf(entity, preview.changed)}`}
          intent={operation === 'remove' ? 'danger' : 'primary'}
          disabled={preview.changed === 0}
          loading={isBusy}
          onClick={() => send({ type: 'commit' })}
        />
      )}
      {hasFailed && (
        <Button text="Look again" intent="primary" autoFocus onClick={() => send({ type: 'again' })} />
      )}
    </>
  )
}
