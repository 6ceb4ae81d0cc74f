import { useMemo } from 'react'
import { viewLimits } from '../../../schemas/api/lists/views.ts'
import { AskForm } from '../../forms/dialogs/AskForm.tsx'

const schema = {
  $id: 'view.name',
  type: 'object',
  required: ['name'],
  properties: {
    name: { title: 'Name', type: 'string', minLength: 1, maxLength: viewLimits.name, pattern: '\\S' },
    shared: { title: 'Shared', type: 'boolean', default: false },
  },
}
const uiSchema = { 'ui:options': { groups: [{ fields: ['name', 'shared'] }] } }
const initialValues = { shared: false }
const noFaults = {}

type Props = {
  /** The search and the rest of the address that the view is of. */
  search: string
  busy: boolean
  fault?: string
  onCancel: () => void
  onName: (name: string, isShared: boolean) => void
}

/** Asks under which name a view is kept, and whether others see it. */
export const AskView = ({ search, busy, fault, onCancel, onName }: Props) => {
  const faults = useMemo(() => (fault === undefined ? noFaults : { name: fault }), [fault])
  return (
    <AskForm
      title="Save view"
      text="Save"
      intent="primary"
      draftId={['view', search]}
      {...{ busy, schema, uiSchema, faults, initialValues, onCancel }}
      onValues={({ name, shared }) => onName(String(name), shared === true)}
    >
      <p>
        A view of yours with the same name is replaced. A shared view is offered to everybody who sees this
        list as you do.
      </p>
    </AskForm>
  )
}
