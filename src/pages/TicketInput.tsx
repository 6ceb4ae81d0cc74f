import { FormGroup, HTMLSelect, InputGroup, TextArea } from '@blueprintjs/core'
import { ticketFields, ticketTypes, type TicketField } from '../../schemas/ticket.ts'
import { count } from '../format.ts'

type Props = {
  id: string
  field: TicketField
  /** As the one who receives the form calls it. */
  name: string
  value: string | number | null
  fault: string | undefined
  disabled: boolean
  onChange: (value: string | number | null) => void
  onLeave: () => void
}

/** One field of the ticket form. Nothing typed is cut off: what is too long is said. */
export const TicketInput = ({ id, field, name, value, fault, disabled, onChange, onLeave }: Props) => {
  const { title, ...limits } = ticketFields[field]
  const isRequired = 'required' in limits
  const intent = fault ? ('danger' as const) : ('none' as const)
  const isLong = field === 'description'
  const most = 'maxLength' in limits ? limits.maxLength : 0
  const control = {
    id,
    name,
    disabled,
    onBlur: onLeave,
    'aria-required': isRequired,
    'aria-invalid': fault ? true : undefined,
    'aria-describedby': [fault && `${id}-fault`, isLong && `${id}-count`].filter(Boolean).join(' ') || undefined,
  }
  const text = String(value ?? '')
  return (
    <FormGroup
      className={`ticket-field ticket-${field}`}
      label={title}
      labelInfo={isRequired ? '(required)' : undefined}
      labelFor={id}
      intent={intent}
      helperText={
        <>
          {fault && <span id={`${id}-fault`}>{fault}</span>}
          {isLong && (
            <span id={`${id}-count`} className="ticket-count">
              {count([...text].length)} of {count(most)} characters
            </span>
          )}
        </>
      }
    >
      {field === 'tickettypeid' ? (
        <HTMLSelect {...control} fill iconProps={{ title: null }} value={titleOf(value)} onChange={(event) => onChange(typeOf(event.currentTarget.value))}>
          <option value="">Select a type</option>
          {ticketTypes.map((type) => (
            <option key={type.const}>{type.title}</option>
          ))}
        </HTMLSelect>
      ) : isLong ? (
        <TextArea {...control} fill rows={6} intent={intent} value={text} onChange={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <InputGroup
          {...control}
          type={field === 'email' ? 'email' : 'text'}
          autoComplete={field === 'email' ? 'email' : 'off'}
          intent={intent}
          value={text}
          onValueChange={onChange}
        />
      )}
    </FormGroup>
  )
}

/** The desk elsewhere is told the type by its words. */
const typeOf = (chosen: string): number | null => ticketTypes.find(({ title }) => title === chosen)?.const ?? null
const titleOf = (value: string | number | null): string => ticketTypes.find((type) => type.const === value)?.title ?? ''
