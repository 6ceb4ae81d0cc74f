import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useId } from 'react'
import { schemaErrors } from '../../forms/errors.ts'
import { runtimeValidator } from '../../forms/runtimeValidator.ts'
import { ValidatedForm } from '../../forms/ValidatedForm.tsx'

type Props = { month: string; busy: boolean; onUnlock: (reason: string) => void; onCancel: () => void }

const schema = {
  $id: 'report.reason',
  type: 'object',
  required: ['reason'],
  properties: { reason: { title: 'Reason', type: 'string', minLength: 1, maxLength: 1000, pattern: '\\S' } },
} as const
const uiSchema = {
  'ui:options': { groups: [{ fields: ['reason'] }], label: false },
  reason: { 'ui:widget': 'textarea', 'ui:rows': 3 },
}
const transformErrors = schemaErrors(schema, undefined, [])
const empty = {}

/** Asks for the reason of unlocking a month (months 9). */
export const ReportUnlock = ({ month, busy, onUnlock, onCancel }: Props) => {
  const formId = useId()
  return (
    <Dialog
      isOpen
      title="Unlock Report"
      className="report-unlock"
      canOutsideClickClose={false}
      shouldReturnFocusOnClose={false}
      transitionDuration={100}
      onClose={onCancel}
    >
      <DialogBody>
        <p>
          {month} has been locked, and people may have been paid by it. Once it is unlocked, imports and rates
          change its figures again; the locked version is kept, and the next lock makes a new one.
        </p>
        <ValidatedForm
          {...{ formId, schema, busy, transformErrors }}
          uiSchema={uiSchema}
          validator={runtimeValidator}
          initialValues={empty}
          faults={empty}
          onValues={() => {}}
          onSubmit={({ reason }) => onUnlock(String(reason))}
        />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" disabled={busy} onClick={onCancel} />
            <Button text="Unlock" intent="danger" type="submit" form={formId} loading={busy} />
          </>
        }
      />
    </Dialog>
  )
}
