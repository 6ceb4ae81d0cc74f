import { HTMLSelect } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import type { ChangeEvent } from 'react'
import { useAriaDescription } from '../fieldState.ts'

/**
 * One of a few values, or several for a list of them. A value that is not among them, such as an old code, is
 * shown as it is. Without a null option an empty one stands for "nothing chosen".
 */
export const Choice = (props: WidgetProps) => {
  const { value, multiple, required, placeholder, options, schema } = props
  const described = useAriaDescription()
  const choices = options.enumOptions ?? []
  const isKnown = choices.some((choice) => choice.value === value)
  const empty = choices.some((choice) => choice.value === null) ? null : options.emptyValue
  const offersEmpty = !multiple && (!isKnown || (empty !== null && !required && schema.default === undefined))
  const keys = choices.flatMap((choice, key) => ([value].flat().includes(choice.value) ? [String(key)] : []))
  const shared = { ...described, ...selectProps(props, empty) }
  const list = (
    <>
      {offersEmpty && <option value="">{isKnown ? placeholder : (value ?? placeholder)}</option>}
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

/**
 * The options of the select are numbered, because their values may be of any type; `empty` is the value of
 * ''.
 */
const selectProps = (props: WidgetProps, empty: unknown) => {
  const { id, htmlName, value, multiple, required, disabled, readonly, autofocus, options } = props
  const choices = options.enumOptions ?? []
  return {
    id,
    name: htmlName ?? id,
    required,
    disabled: disabled || readonly,
    autoFocus: autofocus,
    onChange: ({ target }: ChangeEvent<HTMLSelectElement>) => {
      const chosen = [...target.selectedOptions].map((option) =>
        option.value === '' ? empty : choices[Number(option.value)]?.value,
      )
      props.onChange(multiple ? chosen : chosen[0])
    },
    onBlur: () => props.onBlur(id, value),
    onFocus: () => props.onFocus(id, value),
  }
}
