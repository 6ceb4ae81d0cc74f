import { HTMLSelect } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import { DateTime } from 'luxon'
import { useState } from 'react'
import { formatMonth } from '../../parts/format.ts'
import { useAriaDescription } from '../fieldState.ts'

/** How many months are offered, starting with the next one. An older value is offered too. */
const offeredMonths = 37

export const Month = ({
  id,
  htmlName,
  value,
  required,
  disabled,
  readonly,
  autofocus,
  onChange,
  onBlur,
  onFocus,
}: WidgetProps) => {
  const described = useAriaDescription()
  const [next] = useState(() => DateTime.now().startOf('month').plus({ months: 1 }))
  const months = Array.from({ length: offeredMonths }, (_, back) =>
    next.minus({ months: back }).toFormat('yyyy-MM'),
  )
  const all = !value || months.includes(value) ? months : [...months, value]
  return (
    <HTMLSelect
      {...described}
      id={id}
      name={htmlName ?? id}
      fill
      iconProps={{ title: undefined, 'aria-hidden': true }}
      className={described['aria-invalid'] ? 'form-choice-wrong' : undefined}
      value={value ?? ''}
      required={required}
      disabled={disabled || readonly}
      autoFocus={autofocus}
      onChange={({ target }) => onChange(target.value)}
      onBlur={() => onBlur(id, value)}
      onFocus={() => onFocus(id, value)}
    >
      <option value="">Choose a month</option>
      {all.map((month) => (
        <option key={month} value={month}>
          {formatMonth(month)}
        </option>
      ))}
    </HTMLSelect>
  )
}
