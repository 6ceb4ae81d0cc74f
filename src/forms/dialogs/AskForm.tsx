import { Button, Dialog, DialogBody, DialogFooter, type Intent } from '@blueprintjs/core'
import type { UiSchema } from '@rjsf/utils'
import { useId, useMemo, type ReactNode } from 'react'
import { BusyButton } from '../../parts/BusyButton.tsx'
import { useFocusBack } from '../../parts/hooks/focusBack.ts'
import { changedValues, useDraft, type DraftId } from '../../parts/unsaved/useDraft.tsx'
import { schemaErrors } from '../errors.ts'
import { runtimeValidator } from '../runtimeValidator.ts'
import { ValidatedForm, type Values } from '../ValidatedForm.tsx'

export type AskFormProps = {
  title: string
  /** The button that sends the values. */
  text: string
  intent: Intent
  busy: boolean
  /** Names the draft that is stored when the session ends; null for a form that has none. */
  draftId: DraftId | null
  /** What sending means. */
  children?: ReactNode
  onCancel: () => void
}
type Props = AskFormProps & {
  schema: Parameters<typeof schemaErrors>[0] & object
  uiSchema: UiSchema
  initialValues: Values
  /** The server's messages, by field. */
  faults: Readonly<Record<string, string>>
  onValues: (values: Values) => void
}

/** A dialog that asks for a few values before something is done. Rendered only while it is open. */
export const AskForm = (props: Props) => {
  const { title, text, intent, busy, children, onCancel, schema, initialValues, onValues } = props
  const formId = useId()
  const transformErrors = useMemo(() => schemaErrors(schema, undefined, []), [schema])
  const draft = useDraft(props.draftId)
  useFocusBack()
  return (
    <Dialog
      isOpen
      title={title}
      className="ask-text"
      canOutsideClickClose={false}
      shouldReturnFocusOnClose={false}
      transitionDuration={100}
      onClose={() => {
        if (!busy) onCancel()
      }}
    >
      <DialogBody>
        {draft.offer}
        {children}
        <ValidatedForm
          key={draft.restored ? 'restored' : 'fresh'}
          {...{ formId, schema, busy, transformErrors }}
          uiSchema={props.uiSchema}
          faults={props.faults}
          validator={runtimeValidator}
          initialValues={{ ...initialValues, ...draft.restored }}
          onValues={(values) => draft.type(changedValues(values, initialValues))}
          onSubmit={(values) => {
            draft.forget()
            onValues(values)
          }}
        />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" disabled={busy} onClick={onCancel} />
            <BusyButton
              text={text}
              intent={intent}
              type={busy ? 'button' : 'submit'}
              form={formId}
              isBusy={busy}
            />
          </>
        }
      />
    </Dialog>
  )
}
