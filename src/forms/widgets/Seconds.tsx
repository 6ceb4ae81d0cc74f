import type { WidgetProps } from '@rjsf/utils'
import { dayOf, secondsOf } from '../seconds.ts'
import { Day } from './Day.tsx'

/** A calendar date: the form holds epoch seconds of its UTC midnight, the browser's own picker shows the day. */
export const Seconds = ({ value, onChange, ...given }: WidgetProps) => (
  <Day {...given} min="1970-01-01" value={dayOf(value)} onChange={(day) => onChange(secondsOf(day ?? ''))} />
)
