import { useMemo } from 'react'
import { savedFilterLimits } from '../../../schemas/api/audit/audit.ts'
import { AskForm } from '../../forms/dialogs/AskForm.tsx'

const schema = {
  $id: 'audit.filter.name',
  type: 'object',
  required: ['name'],
  properties: {
    name: { title: 'Name', type: 'string', minLength: 1, maxLength: savedFilterLimits.name, pattern: '\\S' },
  },
}
const uiSchema = { 'ui:options': { groups: [{ fields: ['name'] }], label: false } }
const empty = {}

type Props = { busy: boolean; fault?: string; onCancel: () => void; onName: (name: string) => void }

/** Asks under which name the filters are kept. */
export const AskName = ({ busy, fault, onCancel, onName }: Props) => {
  const faults = useMemo(() => (fault === undefined ? empty : { name: fault }), [fault])
  return (
    <AskForm
      title="Save filter"
      text="Save"
      intent="primary"
      {...{ busy, schema, uiSchema, faults, onCancel }}
      initialValues={empty}
      onValues={({ name }) => onName(String(name))}
    >
      <p>A filter of the same name is replaced.</p>
    </AskForm>
  )
}
