import { Intent } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import { createContext, type FocusEvent, use } from 'react'

/** Errors are shown at edited fields, and at all fields after an attempt to save (lists 8). */
export type ErrorVisibility = { wasSubmitted: boolean; edited: ReadonlySet<string> }
export const ErrorVisibilityContext = createContext<ErrorVisibility>({
  wasSubmitted: true,
  edited: new Set(),
})

export const useErrorsVisible = (id: string): boolean => {
  const { wasSubmitted: tried, edited } = use(ErrorVisibilityContext)
  return tried || edited.has(id)
}

/** Whether a field is invalid, and the ids of the texts that describe it, for its control. */
type FieldDescription = { invalid: boolean; by: string | undefined }
export const FieldDescriptionContext = createContext<FieldDescription>({ invalid: false, by: undefined })
export const useAriaDescription = (): { 'aria-invalid'?: true; 'aria-describedby'?: string } => {
  const { invalid, by } = use(FieldDescriptionContext)
  return { ...(invalid && { 'aria-invalid': true }), ...(by && { 'aria-describedby': by }) }
}

/** The id of the text with the reason why all fields of a group are disabled. */
export const GroupReasonContext = createContext<string | null>(null)

type ControlProps = Pick<
  WidgetProps,
  | 'id'
  | 'htmlName'
  | 'value'
  | 'required'
  | 'disabled'
  | 'readonly'
  | 'autofocus'
  | 'placeholder'
  | 'onBlur'
  | 'onFocus'
>

/** The props of a control with typed text. */
export const useInputProps = ({
  id,
  htmlName,
  value,
  required,
  disabled,
  readonly,
  autofocus,
  placeholder,
  onBlur,
  onFocus,
}: ControlProps) => {
  const described = useAriaDescription()
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
