import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useEffect, useId, useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Draft, StoredRecord } from '../../../../machines/modal.machine.ts'
import { isViewOnly, type Entity } from '../../../../schemas/entities/entity.ts'
import { reasonOf, type Viewer } from '../../../../schemas/permissions.ts'
import { readsAudit } from '../../../../schemas/screenRules.ts'
import type { OfferedMonths, SearchRecords } from '../../../forms/context.ts'
import { BusyButton } from '../../../parts/BusyButton.tsx'
import { DiscardQuestion } from '../../../parts/unsaved/DiscardQuestion.tsx'
import { ChangedMeanwhile } from './ChangedMeanwhile.tsx'
import type { Discarding, ModalMachine } from './dialog.ts'
import { RecordLinks } from './RecordLinks.tsx'
import { RecordQuestions } from './RecordQuestions.tsx'
import { ReviewNotices, ReviewQuestion, useDecision, type DecisionMachine } from './RecordReview.tsx'
import { preloadForm, loadingSpinner, RestorableForm } from './RestorableForm.tsx'

/** Draws the form of a stored record with what belongs to it. */
export type RecordFrame = (
  row: StoredRecord,
  form: (offeredMonths?: Readonly<Record<string, OfferedMonths>>) => ReactNode,
) => ReactNode

type Props = {
  entity: Entity
  viewer: Viewer
  searchRecords: SearchRecords
  modal: ModalMachine
  decision: DecisionMachine
  snapshot: SnapshotFrom<ModalMachine>
  send: ActorRefFrom<ModalMachine>['send']
  /** Reads the list again. */
  reload: () => void
  discarding: Discarding
  /** Only the form unless set. */
  recordFrame?: RecordFrame
}

/** The dialog that creates or edits one record (lists 7). Rendered only while it is open. */
export const EntityDialog = (props: Props) => {
  const { entity, viewer, searchRecords, modal, snapshot, send, discarding, recordFrame } = props
  const { row, faults, allowed } = snapshot.context
  const formId = useId()
  const sentDraft = useRef<Draft>({})
  const isReadOnly = row !== null && isViewOnly(entity, viewer, row)
  const [review, groupNote] = useReview(props)
  useEffect(preloadForm, [])
  const save = (draft: Draft) => {
    sentDraft.current = draft
    send({ type: 'save', draft })
  }
  const form = (offeredMonths?: Readonly<Record<string, OfferedMonths>>) => (
    <RestorableForm
      key={`${row?.id ?? 'new'} ${row?.version ?? 0}`}
      {...{ entity, viewer, row, faults, searchRecords, offeredMonths, formId, groupNote }}
      isUnsaved={discarding.isUnsaved}
      busy={isBusy(snapshot)}
      onChange={(dirty) => send({ type: 'change', dirty })}
      onSave={save}
    />
  )
  return (
    <>
      <div onKeyDown={saveByKey(formId, snapshot)}>
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
            {snapshot.matches('reading') ? loadingSpinner : ((row && recordFrame?.(row, form)) ?? form())}
            {row && <RecordLinks {...{ entity, viewer, row }} />}
          </DialogBody>
          <RecordFooter {...{ snapshot, send, formId, isReadOnly, entity, viewer }} />
        </Dialog>
        <RecordQuestions
          snapshot={snapshot}
          send={send}
          nouns={{ deleted: entity.noun, changed: 'record' }}
          draft={() => sentDraft.current}
          changes={row && <ChangedMeanwhile {...{ entity, viewer, modal, allowed, row }} />}
        />
      </div>
      <ReviewQuestion entity={entity} {...review} />
      {discarding.isAsked && (
        <DiscardQuestion onDiscard={discarding.discard} onKeep={discarding.keepEditing} />
      )}
    </>
  )
}

const saveByKey = (formId: string, snapshot: Props['snapshot']) => (event: KeyboardEvent) => {
  // With Caps Lock the key is 'S'.
  const isSave = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)
  if (!isSave || event.altKey || event.shiftKey) return
  event.preventDefault()
  const form = document.getElementById(formId)
  if (form instanceof HTMLFormElement && snapshot.matches('editing')) form.requestSubmit()
}

/** The actor of the decisions about the record, and the notices that its form shows. */
const useReview = ({ entity, viewer, decision, snapshot, send, reload }: Props) => {
  const { row, dirty } = snapshot.context
  const review = useDecision(decision, () => {
    reload()
    send({ type: 'leave' })
    send({ type: 'open', id: row?.id ?? 0 })
  })
  const blocked = dirty || !snapshot.matches('editing')
  const sendDecision = review.send
  const groupNote = useMemo(
    () =>
      entity.review && row
        ? {
            field: entity.review.aboveField,
            note: <ReviewNotices {...{ entity, viewer, row, blocked }} send={sendDecision} />,
          }
        : undefined,
    [entity, viewer, row, blocked, sendDecision],
  )
  return [review, groupNote] as const
}

const isBusy = (snapshot: Props['snapshot']) => snapshot.matches('saving') || snapshot.matches('deleting')

type RecordFooterProps = Pick<Props, 'snapshot' | 'send' | 'entity' | 'viewer'> & {
  formId: string
  isReadOnly: boolean
}

/** Delete and History at the left; Cancel and Save, or Close alone for a record that cannot be changed. */
const RecordFooter = ({ snapshot, send, formId, isReadOnly, entity, viewer }: RecordFooterProps) => {
  const { row, allowed } = snapshot.context
  const navigate = useNavigate()
  const mayDelete = entity.access.delete
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
            <BusyButton
              text="Save"
              intent="primary"
              type={snapshot.matches('saving') ? 'button' : 'submit'}
              form={formId}
              disabled={snapshot.matches('reading') || snapshot.matches('deleting')}
              isBusy={snapshot.matches('saving')}
            />
          )}
        </>
      }
    >
      {allowed.remove && row !== null && !isReadOnly && (
        <DeleteButton
          closedBy={mayDelete(viewer, row) ? null : reasonOf(mayDelete, viewer, row)}
          disabled={!snapshot.can({ type: 'delete' })}
          onDelete={() => send({ type: 'delete' })}
        />
      )}
      {readsAudit(viewer) && row !== null && (
        <Button
          text="History"
          variant="minimal"
          disabled={isBusy(snapshot)}
          onClick={() => void navigate(`/audit?record=${entity.name}&recordid=${row.id}`)}
        />
      )}
    </DialogFooter>
  )
}

type DeleteButtonProps = { closedBy: string | null; disabled: boolean; onDelete: () => void }

/** Delete; closed for a record that this viewer may change and not delete, with the reason beside it. */
const DeleteButton = ({ closedBy, disabled, onDelete }: DeleteButtonProps) => {
  const id = useId()
  return (
    <>
      <Button
        text="Delete"
        intent="danger"
        variant="outlined"
        disabled={disabled || closedBy !== null}
        aria-describedby={closedBy === null ? undefined : id}
        onClick={onDelete}
      />
      {closedBy !== null && (
        <span id={id} className="dialog-closed">
          {closedBy}
        </span>
      )}
    </>
  )
}
