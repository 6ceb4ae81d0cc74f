import { InputGroup, Intent } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import { dayOf, secondsOf } from '../days.ts'
import { useDescribed } from '../gate.ts'

/** A calendar date: the form holds epoch seconds of its UTC midnight, the browser's own picker shows the day. */
export const Seconds = ({ id, htmlName, value, required, disabled, readonly, onChange, onBlur, onFocus }: WidgetProps) => {
  const described = useDescribed()
  return (
    <InputGroup
      {...described}
      type="date"
      id={id}
      name={htmlName ?? id}
      min="1970-01-01"
      max="9999-12-31"
      value={dayOf(value)}
      required={required}
      disabled={disabled}
      readOnly={readonly}
      intent={described['aria-invalid'] ? Intent.DANGER : Intent.NONE}
      onChange={({ target }) => onChange(secondsOf(target.value))}
      onBlur={() => onBlur(id, value)}
      onFocus={() => onFocus(id, value)}
    />
  )
}
