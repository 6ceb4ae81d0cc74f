import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useEffect, useId, useRef, type KeyboardEvent } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Draft } from '../../../machines/modal.machine.ts'
import { isViewOnly, type Entity } from '../../../schemas/entities/entity.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import type { SearchRecords } from '../../forms/context.ts'
import type { ModalMachine } from './dialog.ts'
import { RecordQuestions } from './RecordQuestions.tsx'
import { preloadForm, loadingSpinner, RestorableForm } from './RestorableForm.tsx'

type Props = {
  entity: Entity
  viewer: Viewer
  searchRecords: SearchRecords
  snapshot: SnapshotFrom<ModalMachine>
  send: ActorRefFrom<ModalMachine>['send']
  /** Answers whether there are changes that were not discarded. */
  isUnsaved: () => boolean
}

/** The dialog that creates or edits one record (lists 7). Rendered only while it is open. */
export const EntityDialog = ({ entity, viewer, searchRecords, snapshot, send, isUnsaved }: Props) => {
  const { row, faults } = snapshot.context
  const formId = useId()
  const sentDraft = useRef<Draft>({})
  const isReadOnly = row !== null && isViewOnly(entity, viewer, row)
  useEffect(preloadForm, [])
  const save = (draft: Draft) => {
    sentDraft.current = draft
    send({ type: 'save', draft })
  }
  const saveByKey = (event: KeyboardEvent) => {
    if (event.key !== 's' || event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    const form = document.getElementById(formId)
    if (form instanceof HTMLFormElement && snapshot.matches('editing')) form.requestSubmit()
  }
  return (
    <div onKeyDown={saveByKey}>
      <Dialog
        isOpen
        className={`dialog-${entity.form.size.replace(' ', '-')}`}
        title={entity.form.title}
        canOutsideClickClose={false}
        shouldReturnFocusOnClose={false}
        transitionDuration={100}
        onClose={() => send({ type: 'close' })}
      >
        <DialogBody>
          {snapshot.matches('reading') ? (
            loadingSpinner
          ) : (
            <RestorableForm
              key={`${row?.id ?? 'new'} ${row?.version ?? 0}`}
              {...{ entity, viewer, row, faults, searchRecords, formId, isUnsaved }}
              busy={isBusy(snapshot)}
              onChange={(dirty) => send({ type: 'change', dirty })}
              onSave={save}
            />
          )}
        </DialogBody>
        <RecordFooter {...{ snapshot, send, formId, isReadOnly }} />
      </Dialog>
      <RecordQuestions
        snapshot={snapshot}
        send={send}
        nouns={{ deleted: entity.noun, changed: 'record' }}
        draft={() => sentDraft.current}
      />
    </div>
  )
}

const isBusy = (snapshot: Props['snapshot']) => snapshot.matches('saving') || snapshot.matches('deleting')

type RecordFooterProps = Pick<Props, 'snapshot' | 'send'> & { formId: string; isReadOnly: boolean }

/** Delete at the left; Cancel and Save, or Close alone for a record that the viewer cannot change. */
const RecordFooter = ({ snapshot, send, formId, isReadOnly }: RecordFooterProps) => {
  const { row, allowed } = snapshot.context
  return (
    <DialogFooter
      actions={
        <>
          <Button
            text={isReadOnly ? 'Close' : 'Cancel'}
            disabled={isBusy(snapshot)}
            onClick={() => send({ type: 'close' })}
          />
          {!isReadOnly && (
            <Button
              text="Save"
              intent="primary"
              type="submit"
              form={formId}
              disabled={snapshot.matches('reading') || snapshot.matches('deleting')}
              loading={snapshot.matches('saving')}
            />
          )}
        </>
      }
    >
      {allowed.remove && row !== null && !isReadOnly && (
        <Button
          text="Delete"
          intent="danger"
          variant="outlined"
          disabled={!snapshot.can({ type: 'delete' })}
          onClick={() => send({ type: 'delete' })}
        />
      )}
    </DialogFooter>
  )
}
