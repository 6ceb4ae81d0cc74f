import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useEffect, useId, useRef, type KeyboardEvent } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Draft } from '../../../machines/modal.machine.ts'
import { isViewOnly, type Entity } from '../../../schemas/entities/entity.ts'
import type { Viewer } from '../../../schemas/permissions.ts'
import type { SearchRecords } from '../../forms/context.ts'
import type { ModalMachine } from './dialog.ts'
import { preloadForm, loadingSpinner, RestorableForm } from './RestorableForm.tsx'
import { RecordQuestions } from './RecordQuestions.tsx'

type Props = {
  entity: Entity
  viewer: Viewer
  lookup: SearchRecords
  snapshot: SnapshotFrom<ModalMachine>
  send: ActorRefFrom<ModalMachine>['send']
  /** Would closing now lose changes that nobody gave up? */
  isUnsaved: () => boolean
}

/** The dialog that creates or edits one record. Drawn only while it is open. */
export const EntityDialog = ({ entity, viewer, lookup, snapshot, send, isUnsaved }: Props) => {
  const { row, faults, allowed: may } = snapshot.context
  const formId = useId()
  const sent = useRef<Draft>({})
  const viewOnly = row !== null && isViewOnly(entity, viewer, row)
  const isBusy = snapshot.matches('saving') || snapshot.matches('deleting')
  useEffect(preloadForm, [])
  const save = (draft: Draft) => {
    sent.current = draft
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
              entity={entity}
              viewer={viewer}
              row={row}
              faults={faults}
              busy={isBusy}
              searchRecords={lookup}
              formId={formId}
              onChange={(dirty) => send({ type: 'change', dirty })}
              onSave={save}
              isUnsaved={isUnsaved}
            />
          )}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button
                text={viewOnly ? 'Close' : 'Cancel'}
                disabled={isBusy}
                onClick={() => send({ type: 'close' })}
              />
              {!viewOnly && (
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
          {may.remove && row !== null && !viewOnly && (
            <Button
              text="Delete"
              intent="danger"
              variant="outlined"
              disabled={!snapshot.can({ type: 'delete' })}
              onClick={() => send({ type: 'delete' })}
            />
          )}
        </DialogFooter>
      </Dialog>
      <RecordQuestions
        snapshot={snapshot}
        send={send}
        nouns={{ deleted: entity.noun, changed: 'record' }}
        draft={() => sent.current}
      />
    </div>
  )
}
