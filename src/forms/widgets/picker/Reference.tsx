import type { WidgetProps } from '@rjsf/utils'
import type { Property } from '../../../../schemas/entities/entity.ts'
import type { FormContext } from '../../context.ts'
import { Picker } from './Picker.tsx'
import { useRecords } from './records.ts'

/** The id of a record of another entity, found by typing a part of its label (lists 11). */
export const Reference = (widget: WidgetProps) => {
  const { name, schema, registry } = widget
  const { searchRecords, labels } = registry.formContext as FormContext
  const value = typeof widget.value === 'number' ? widget.value : null
  const source = useRecords(schema as Property, searchRecords, value, labels?.[name])
  const canBeEmpty = [schema.type].flat().includes('null')
  const empty = canBeEmpty ? null : undefined
  return <Picker widget={widget} source={source} held={{ value, canBeEmpty, empty }} />
}
