import { Button, ControlGroup, FormGroup, InputGroup } from '@blueprintjs/core'
import { CalendarIcon } from '@blueprintjs/icons'
import { useId, useRef } from 'react'
import { formatUsDate } from '../../../schemas/dates.ts'
import './required.css'

type Props = {
  label: string
  /** ISO calendar day, null while none is chosen. */
  value: string | null
  error?: string
  disabled?: boolean
  onChange: (day: string | null) => void
}

/**
 * A required day: a read-only field and a button that opens the browser's calendar. The native input
 * behind the field takes the focus, so that the day can also be typed.
 */
export const DateField = ({ label, value, error, disabled, onChange }: Props) => {
  const id = useId()
  const nativeInput = useRef<HTMLInputElement>(null)
  const openCalendar = () => {
    nativeInput.current?.focus()
    try {
      nativeInput.current?.showPicker()
    } catch {
      // The browser cannot open its calendar. The focused input takes a typed day.
    }
  }
  return (
    <FormGroup
      label={<span className="form-required">{label}</span>}
      labelFor={id}
      helperText={error}
      intent={error ? 'danger' : 'none'}
      disabled={disabled}
    >
      <ControlGroup className="date-field">
        <InputGroup
          id={id}
          readOnly
          disabled={disabled}
          placeholder="MM/DD/YYYY"
          value={value === null ? '' : formatUsDate(value)}
          intent={error ? 'danger' : 'none'}
          aria-required="true"
          aria-invalid={error ? true : undefined}
          onClick={openCalendar}
        />
        <Button
          icon={<CalendarIcon />}
          aria-label="Choose the date"
          disabled={disabled}
          onClick={openCalendar}
        />
        <input
          ref={nativeInput}
          type="date"
          className="date-native"
          aria-label={`${label}, typed`}
          tabIndex={-1}
          disabled={disabled}
          max="9999-12-31"
          value={value ?? ''}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        />
      </ControlGroup>
    </FormGroup>
  )
}
