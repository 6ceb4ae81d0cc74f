import { HTMLSelect } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import { useState } from 'react'
import { formatMonth } from '../../parts/format.ts'
import type { FormContext } from '../context.ts'
import { useAriaDescription } from '../fieldState.ts'
import { recentMonths } from './recentMonths.ts'

/** How many months are offered where the form names none, starting with the next one. */
const offeredCount = 37

/** A month of those that the form offers, or of the recent ones. An older value is offered too. */
export const Month = ({
  id,
  htmlName,
  name,
  value,
  required,
  disabled,
  readonly,
  autofocus,
  onChange,
  onBlur,
  onFocus,
  registry,
  schema,
}: WidgetProps) => {
  const described = useAriaDescription()
  const offered = (registry.formContext as FormContext).offeredMonths?.[name]
  const [recent] = useState(() => recentMonths(offeredCount, 1))
  const months = offered?.months ?? recent
  const isNullable = [schema.type].flat().includes('null')
  const all = !value || months.includes(value) ? months : [...months, value]
  return (
    <HTMLSelect
      {...described}
      id={id}
      name={htmlName ?? id}
      fill
      iconProps={{ title: undefined, 'aria-hidden': true }}
      className={described['aria-invalid'] ? 'form-choice-wrong' : undefined}
      value={value ?? offered?.usual ?? ''}
      required={required}
      disabled={disabled || readonly}
      autoFocus={autofocus}
      onChange={({ target }) => onChange(target.value === '' && isNullable ? null : target.value)}
      onBlur={() => onBlur(id, value)}
      onFocus={() => onFocus(id, value)}
    >
      {!offered && <option value="">{isNullable ? 'None' : 'Choose a month'}</option>}
      {all.map((month) => (
        <option key={month} value={month}>
          {formatMonth(month)}
          {month === offered?.usual && ' (default)'}
        </option>
      ))}
    </HTMLSelect>
  )
}
