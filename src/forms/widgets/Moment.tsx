import { InputGroup } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import { formatLocalDateTime } from '../../parts/format.ts'
import { useAriaDescription } from '../fieldState.ts'

/** When something happened, in the time zone of the browser; nobody changes it (lists 10). */
export const Moment = ({ id, value }: WidgetProps) => (
  <InputGroup
    {...useAriaDescription()}
    id={id}
    disabled
    value={typeof value === 'number' ? formatLocalDateTime(value) : ''}
  />
)
