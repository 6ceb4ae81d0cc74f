import { Button, Dialog, DialogBody, DialogFooter, type Intent } from '@blueprintjs/core'
import type { UiSchema } from '@rjsf/utils'
import { useId, useMemo, type ReactNode } from 'react'
import { useFocusBack } from '../../parts/hooks/focusBack.ts'
import { changedValues, useKept, type KeptAs } from '../../parts/unsaved/useKept.tsx'
import { schemaErrors } from '../errors.ts'
import { runtimeValidator } from '../runtimeValidator.ts'
import { ValidatedForm, type Values } from '../ValidatedForm.tsx'

export type AskFormProps = {
  title: string
  /** The button that sends the values. */
  text: string
  intent: Intent
  busy: boolean
  /** What is typed is kept under it when the session ends; null for what is not worth it. */
  keptAs: KeptAs | null
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
  const kept = useKept(props.keptAs)
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
        {kept.offer}
        {children}
        <ValidatedForm
          key={kept.restored ? 'restored' : 'fresh'}
          {...{ formId, schema, busy, transformErrors }}
          uiSchema={props.uiSchema}
          faults={props.faults}
          validator={runtimeValidator}
          initialValues={{ ...initialValues, ...kept.restored }}
          onValues={(values) => kept.type(changedValues(values, initialValues))}
          onSubmit={(values) => {
            kept.forget()
            onValues(values)
          }}
        />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" disabled={busy} onClick={onCancel} />
            <Button text={text} intent={intent} type="submit" form={formId} loading={busy} />
          </>
        }
      />
    </Dialog>
  )
}
