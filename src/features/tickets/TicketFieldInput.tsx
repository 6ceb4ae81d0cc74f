import { FormGroup, HTMLSelect, InputGroup, TextArea } from '@blueprintjs/core'
import { type TicketField, ticketFields, ticketTypes } from '../../../schemas/entities/ticket.ts'
import { formatCount } from '../../parts/format.ts'
import '../../parts/fields/required.css'

export type TicketValue = string | number | null

type Props = {
  id: string
  field: TicketField
  /** The name under which the receiver of the form knows the field. */
  name: string
  value: TicketValue
  fault: string | undefined
  disabled: boolean
  onChange: (value: TicketValue) => void
  onLeave: () => void
}

/** One field of the ticket form. A text that is too long is not cut off but marked as a fault (tickets 2). */
export const TicketFieldInput = (props: Props) => {
  const { id, field, value, fault } = props
  const { title, ...limits } = ticketFields[field]
  return (
    <FormGroup
      className={`ticket-field ticket-${field}`}
      label={<span className={'required' in limits ? 'form-required' : undefined}>{title}</span>}
      labelFor={id}
      intent={fault ? 'danger' : 'none'}
      helperText={
        <>
          {fault && <span id={`${id}-fault`}>{fault}</span>}
          {isMultiline(field) && (
            <span id={`${id}-count`} className="ticket-count">
              {formatCount([...String(value ?? '')].length)} of{' '}
              {formatCount('maxLength' in limits ? limits.maxLength : 0)} characters
            </span>
          )}
        </>
      }
    >
      <Control {...props} />
    </FormGroup>
  )
}

const isMultiline = (field: TicketField) => field === 'description'

const Control = ({ id, field, name, value, fault, disabled, onChange, onLeave }: Props) => {
  const intent = fault ? 'danger' : 'none'
  const text = String(value ?? '')
  const common = {
    id,
    name,
    disabled,
    onBlur: onLeave,
    'aria-required': 'required' in ticketFields[field],
    'aria-invalid': fault ? true : undefined,
    'aria-describedby':
      [fault && `${id}-fault`, isMultiline(field) && `${id}-count`].filter(Boolean).join(' ') || undefined,
  }
  if (field === 'tickettypeid')
    return (
      <HTMLSelect
        {...common}
        fill
        iconProps={{ title: null }}
        value={titleOfType(value)}
        onChange={(event) => onChange(typeOfTitle(event.currentTarget.value))}
      >
        <option value="">Select a type</option>
        {ticketTypes.map((type) => (
          <option key={type.const}>{type.title}</option>
        ))}
      </HTMLSelect>
    )
  if (isMultiline(field))
    return (
      <TextArea
        {...common}
        fill
        rows={6}
        intent={intent}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  return (
    <InputGroup
      {...common}
      type={field === 'email' ? 'email' : 'text'}
      autoComplete={field === 'email' ? 'email' : 'off'}
      intent={intent}
      value={text}
      onValueChange={onChange}
    />
  )
}

// The options have their titles as values, because a help desk elsewhere is posted the title (tickets 6).
const typeOfTitle = (title: string): number | null =>
  ticketTypes.find((type) => type.title === title)?.const ?? null
const titleOfType = (value: TicketValue): string =>
  ticketTypes.find((type) => type.const === value)?.title ?? ''
