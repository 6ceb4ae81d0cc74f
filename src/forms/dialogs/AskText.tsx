import { useMemo } from 'react'
import { AskForm, type AskFormProps } from './AskForm.tsx'

type Props = AskFormProps & {
  /** What is asked for. Lengths are in characters. */
  label: string
  minLength: number
  maxLength: number
  /** What is wrong with the text that was sent. */
  fault?: string
  onText: (text: string) => void
}

const empty = {}
const uiSchema = {
  'ui:options': { groups: [{ fields: ['text'] }], label: false },
  text: { 'ui:widget': 'textarea', 'ui:rows': 3 },
}

/** A dialog that asks for one text before something is done. Rendered only while it is open. */
export const AskText = ({ label, minLength, maxLength, fault, onText, ...dialog }: Props) => {
  const schema = useMemo(
    () => ({
      $id: 'ask.text',
      type: 'object',
      required: ['text'],
      properties: { text: { title: label, type: 'string', minLength, maxLength, pattern: '\\S' } },
    }),
    [label, minLength, maxLength],
  )
  const faults = useMemo(() => (fault === undefined ? empty : { text: fault }), [fault])
  return (
    <AskForm
      {...dialog}
      {...{ schema, uiSchema, faults }}
      initialValues={empty}
      onValues={(values) => onText(String(values.text))}
    />
  )
}
