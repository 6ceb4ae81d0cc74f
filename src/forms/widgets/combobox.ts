import type { WidgetProps } from '@rjsf/utils'
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Property } from '../../../schemas/entities/entity.ts'
import type { LookupRow } from '../../../schemas/entities/lookups.ts'
import type { FormContext } from '../context.ts'
import { usePicker } from './picker.ts'

const arrowSteps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The list under a combobox: whether it is open, what was typed and found, and which option is active. */
const useOptions = (props: WidgetProps, value: number | null) => {
  const { name, schema, registry } = props
  const { searchRecords, labels } = registry.formContext as FormContext
  const { found, search, reset, label } = usePicker(schema as Property, searchRecords, value, labels?.[name])
  /** The typed text; null while the label of the chosen record is shown. */
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const { length } = found.rows
  const activeIndex = found.state === 'found' ? Math.min(active, length - 1) : -1

  const open = () => {
    setOpen(true)
    setActive(-1)
    search('', 0)
  }
  const close = () => {
    setOpen(false)
    setTyped(null)
    reset()
  }
  const searchTyped = (text: string, wait?: number) => {
    setTyped(text)
    setOpen(true)
    setActive(0)
    search(text, wait)
  }
  const move = (step: number) => {
    if (length === 0) return
    const from = activeIndex < 0 && step < 0 ? 0 : activeIndex
    setActive((from + step + length) % length)
  }
  return { found, label, typed, isOpen, activeIndex, open, close, searchTyped, move }
}

/** The state of a combobox that searches records, and what its keys and its mouse do. */
export const useCombobox = (props: WidgetProps) => {
  const { disabled, readonly, schema, onChange } = props
  const value = typeof props.value === 'number' ? props.value : null
  const options = useOptions(props, value)
  const { found, label, typed, isOpen, activeIndex, close } = options
  const input = useRef<HTMLInputElement>(null)
  const isLocked = Boolean(disabled || readonly)
  const isNullable = [schema.type].flat().includes('null')

  // A label that arrives while the field has the focus is selected, so that typing replaces it.
  useLayoutEffect(() => {
    if (typed === null && document.activeElement === input.current) input.current?.select()
    // Only the label counts: typed text stays as it is.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [label])

  const open = () => {
    if (!isLocked && !isOpen) options.open()
  }
  const choose = (row: LookupRow) => {
    onChange(row.id)
    close()
  }
  const unset = () => onChange(isNullable ? null : undefined)
  const clear = () => {
    unset()
    close()
    input.current?.focus()
  }
  const type = (text: string) => {
    options.searchTyped(text)
    if (text === '' && value !== null) unset()
  }
  const pressKey = (event: KeyboardEvent) => {
    const step = arrowSteps[event.key]
    if (isLocked || (!isOpen && step === undefined)) return
    const row = found.rows[activeIndex]
    if (step !== undefined && isOpen) options.move(step)
    else if (step !== undefined) open()
    else if (event.key === 'Escape') {
      close()
      event.stopPropagation()
    } else if (event.key !== 'Enter') return
    else if (row) choose(row)
    else if (typed !== null) options.searchTyped(typed, 0)
    event.preventDefault()
  }
  const canClear = isNullable && value !== null && !isLocked
  const actions = { open, close, choose, clear, type, pressKey }
  return { input, found, label, value, typed, isOpen, activeIndex, canClear, ...actions }
}
export type Combobox = ReturnType<typeof useCombobox>
