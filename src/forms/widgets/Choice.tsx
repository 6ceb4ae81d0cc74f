import { HTMLSelect } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import type { ChangeEvent } from 'react'
import { useAriaDescription } from '../fieldState.ts'

/**
 * One of a few values (or several, for a list of them). A value that is none of them, such as an old code, is shown
 * as it is; without a null option an empty one stands for "nothing chosen yet".
 */
export const Choice = (props: WidgetProps) => {
  const {
    id,
    htmlName,
    value,
    multiple,
    required,
    disabled,
    readonly,
    autofocus,
    placeholder,
    options,
    schema,
    onChange,
    onBlur,
    onFocus,
  } = props
  const described = useAriaDescription()
  const choices = options.enumOptions ?? []
  const known = choices.some((choice) => choice.value === value)
  const nothing = choices.some((choice) => choice.value === null) ? null : options.emptyValue
  const offersNone = !multiple && (!known || (nothing !== null && !required && schema.default === undefined))
  const keys = choices.flatMap((choice, key) => ([value].flat().includes(choice.value) ? [String(key)] : []))
  const shared = {
    ...described,
    id,
    name: htmlName ?? id,
    required,
    disabled: disabled || readonly,
    autoFocus: autofocus,
    onChange: ({ target }: ChangeEvent<HTMLSelectElement>) => {
      const chosen = [...target.selectedOptions].map((option) =>
        option.value === '' ? nothing : choices[Number(option.value)]?.value,
      )
      onChange(multiple ? chosen : chosen[0])
    },
    onBlur: () => onBlur(id, value),
    onFocus: () => onFocus(id, value),
  }
  const list = (
    <>
      {offersNone && <option value="">{known ? placeholder : (value ?? placeholder)}</option>}
      {choices.map((choice, key) => (
        <option key={key} value={String(key)} disabled={options.enumDisabled?.includes(choice.value)}>
          {choice.label}
        </option>
      ))}
    </>
  )
  if (multiple) {
    return (
      <select {...shared} multiple className="form-choices" value={keys}>
        {list}
      </select>
    )
  }
  return (
    <HTMLSelect
      {...shared}
      fill
      iconProps={{ title: undefined, 'aria-hidden': true }}
      className={described['aria-invalid'] ? 'form-choice-wrong' : undefined}
      value={keys[0] ?? ''}
    >
      {list}
    </HTMLSelect>
  )
}
