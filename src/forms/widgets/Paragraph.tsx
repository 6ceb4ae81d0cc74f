import { TextArea } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import { useInputProps } from '../fieldState.ts'

export const Paragraph = (props: WidgetProps) => {
  const { options, onChange } = props
  return (
    <TextArea
      {...useInputProps(props)}
      rows={options.rows ?? 4}
      fill
      onChange={({ target }) => onChange(target.value === '' ? options.emptyValue : target.value)}
    />
  )
}
