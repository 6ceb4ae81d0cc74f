import { TextArea } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import { useControl } from '../fieldState.ts'

export const Paragraph = (props: WidgetProps) => {
  const { options, onChange } = props
  return (
    <TextArea
      {...useControl(props)}
      rows={options.rows ?? 4}
      fill
      onChange={({ target }) => onChange(target.value === '' ? options.emptyValue : target.value)}
    />
  )
}
