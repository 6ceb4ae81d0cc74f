import { Intent } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import { createContext, type FocusEvent, use } from 'react'

/** Which fields may show what is wrong: those edited, and all of them once a save was tried (specification, section 5). */
export type ErrorVisibility = { wasSubmitted: boolean; edited: ReadonlySet<string> }
export const ErrorVisibilityContext = createContext<ErrorVisibility>({ wasSubmitted: true, edited: new Set() })

export const useErrorsVisible = (id: string): boolean => {
  const { wasSubmitted: tried, edited } = use(ErrorVisibilityContext)
  return tried || edited.has(id)
}

/** What a field tells its control: is it wrong, and the ids of the texts that describe it. */
export type FieldDescription = { invalid: boolean; by: string | undefined }
export const FieldDescriptionContext = createContext<FieldDescription>({ invalid: false, by: undefined })
export const useAriaDescription = (): { 'aria-invalid'?: true; 'aria-describedby'?: string } => {
  const { invalid, by } = use(FieldDescriptionContext)
  return { ...(invalid && { 'aria-invalid': true }), ...(by && { 'aria-describedby': by }) }
}

/** The id of a text that says why every field of a group is disabled. */
export const GroupReasonContext = createContext<string | null>(null)

type Given = Pick<
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

/** What every control that is typed into is given: its name, its state, and the texts that describe it. */
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
}: Given) => {
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
