import { Intent } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import type { FocusEvent } from 'react'
import { useDescribed } from './gate.ts'

type Given = Pick<
  WidgetProps,
  'id' | 'htmlName' | 'value' | 'required' | 'disabled' | 'readonly' | 'autofocus' | 'placeholder' | 'onBlur' | 'onFocus'
>

/** What every control that is typed into is given: its name, its state, and the texts that describe it. */
export const useControl = ({ id, htmlName, value, required, disabled, readonly, autofocus, placeholder, onBlur, onFocus }: Given) => {
  const described = useDescribed()
  return {
    ...described,
    id,
    name: htmlName ?? id,
    value: value ?? '',
    required,
    disabled,
    readOnly: readonly,
    autoFocus: autofocus,
    placeholder,
    intent: described['aria-invalid'] ? Intent.DANGER : Intent.NONE,
    onBlur: ({ target }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => onBlur(id, target.value),
    onFocus: ({ target }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => onFocus(id, target.value),
  }
}
