import { Intent, TextArea } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import { useDescribed } from '../gate.ts'

export const Paragraph = ({ id, htmlName, value, required, disabled, readonly, autofocus, placeholder, options, onChange, onBlur, onFocus }: WidgetProps) => {
  const described = useDescribed()
  return (
    <TextArea
      {...described}
      id={id}
      name={htmlName ?? id}
      value={value ?? ''}
      required={required}
      disabled={disabled}
      readOnly={readonly}
      autoFocus={autofocus}
      placeholder={placeholder}
      rows={options.rows ?? 4}
      fill
      intent={described['aria-invalid'] ? Intent.DANGER : Intent.NONE}
      onChange={({ target }) => onChange(target.value === '' ? options.emptyValue : target.value)}
      onBlur={({ target }) => onBlur(id, target.value)}
      onFocus={({ target }) => onFocus(id, target.value)}
    />
  )
}
