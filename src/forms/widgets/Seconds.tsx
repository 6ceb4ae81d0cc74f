import type { WidgetProps } from '@rjsf/utils'
import { dayOf, secondsOf } from '../seconds.ts'
import { Day } from './Day.tsx'

/** A calendar day whose value is the epoch seconds of its UTC midnight (lists 10). */
export const Seconds = ({ value, onChange, ...props }: WidgetProps) => (
  <Day {...props} min="1970-01-01" value={dayOf(value)} onChange={(day) => onChange(secondsOf(day ?? ''))} />
)
