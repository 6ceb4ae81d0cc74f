import { InputGroup, Intent } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import { useAriaDescription } from '../fieldState.ts'

/** A calendar day as '2026-10-31', without a time zone, in the date picker of the browser. */
export const Day = ({
  id,
  htmlName,
  value,
  min,
  required,
  disabled,
  readonly,
  onChange,
  onBlur,
  onFocus,
}: WidgetProps & { min?: string }) => {
  const described = useAriaDescription()
  return (
    <InputGroup
      {...described}
      type="date"
      id={id}
      name={htmlName ?? id}
      min={min}
      max="9999-12-31"
      value={typeof value === 'string' ? value : ''}
      required={required}
      disabled={disabled}
      readOnly={readonly}
      intent={described['aria-invalid'] ? Intent.DANGER : Intent.NONE}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
      onBlur={() => onBlur(id, value)}
      onFocus={() => onFocus(id, value)}
    />
  )
}
