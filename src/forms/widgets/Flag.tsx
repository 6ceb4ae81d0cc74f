import { Checkbox } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import { useAriaDescription } from '../fieldState.ts'

export const Flag = ({
  id,
  htmlName,
  value,
  label,
  hideLabel,
  required,
  disabled,
  readonly,
  autofocus,
  onChange,
  onBlur,
  onFocus,
}: WidgetProps) => (
  <Checkbox
    {...useAriaDescription()}
    className="form-flag"
    id={id}
    name={htmlName ?? id}
    checked={value === true}
    required={required}
    disabled={disabled || readonly}
    autoFocus={autofocus}
    label={hideLabel ? undefined : label}
    aria-label={hideLabel ? label : undefined}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    onBlur={() => onBlur(id, value)}
    onFocus={() => onFocus(id, value)}
  />
)
