import type { WidgetProps } from '@rjsf/utils'
import { BaseInput } from '../templates/BaseInput.tsx'

const thousands = /^\s*\$?\s*\d{1,3}(,\d{3})+(\.\d*)?\s*$/
/** Removes the signs of a pasted amount such as '$1,234.50'. */
const withoutSigns = (value: unknown) =>
  typeof value === 'string'
    ? thousands.test(value)
      ? value.replace(/[$,\s]/g, '')
      : value.replace(/^\s*\$\s*(?=\d)/, '')
    : value

export const Dollars = (props: WidgetProps) => (
  <BaseInput
    {...props}
    onChange={(value: unknown) => props.onChange(withoutSigns(value))}
    before={<span className="form-affix">$</span>}
  />
)

export const Percent = (props: WidgetProps) => (
  <BaseInput {...props} after={<span className="form-affix">%</span>} />
)
