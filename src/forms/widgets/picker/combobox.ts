import type { WidgetProps } from '@rjsf/utils'
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'

/** One line of the list below the field. */
export type PickerOption<Value> = { value: Value; label: string }

/**
 * The state of a search. While the next one runs, the options of the last one stay. `first` is how many were
 * taken of more than that.
 */
export type SearchResult<Value> = {
  state: 'idle' | 'searching' | 'found' | 'failed'
  options: readonly PickerOption<Value>[]
  first?: number
}

/**
 * Where the options of a combobox come from. `search` begins after `wait` milliseconds, or after those of the
 * source; `reset` ends it. `label` is that of the chosen value.
 */
export type OptionSource<Value> = {
  found: SearchResult<Value>
  search: (text: string, wait?: number) => void
  reset: () => void
  label: string
}

/** What the field holds, and what it holds once it is emptied; without `empty` it cannot be. */
export type PickerValue<Value> = { value: Value | null; canBeEmpty: boolean; empty: null | undefined }

const arrowSteps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The list under a combobox: whether it is open, what was typed and found, and which option is active. */
const useOptions = <Value>({ found, search, reset, label }: OptionSource<Value>) => {
  /** The typed text; null while the label of the chosen record is shown. */
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const { length } = found.options
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

/** The state of a combobox that searches its options, and what its keys and its mouse do. */
export const useCombobox = <Value>(
  { disabled, readonly, onChange }: WidgetProps,
  { value, canBeEmpty, empty }: PickerValue<Value>,
  source: OptionSource<Value>,
) => {
  const options = useOptions(source)
  const { found, label, typed, isOpen, activeIndex, close } = options
  const input = useRef<HTMLInputElement>(null)
  const isLocked = Boolean(disabled || readonly)

  // A label that arrives while the field has the focus is selected, so that typing replaces it.
  useLayoutEffect(() => {
    if (typed === null && document.activeElement === input.current) input.current?.select()
    // Only the label counts: typed text stays as it is.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [label])

  const open = () => {
    if (!isLocked && !isOpen) options.open()
  }
  const choose = (option: PickerOption<Value>) => {
    onChange(option.value)
    close()
  }
  const unset = () => onChange(empty)
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
    const option = found.options[activeIndex]
    if (step !== undefined && isOpen) options.move(step)
    else if (step !== undefined) open()
    else if (event.key === 'Escape') {
      close()
      event.stopPropagation()
    } else if (event.key !== 'Enter') return
    else if (option) choose(option)
    else if (typed !== null) options.searchTyped(typed, 0)
    event.preventDefault()
  }
  const canClear = canBeEmpty && value !== null && !isLocked
  const actions = { open, close, choose, clear, type, pressKey }
  return { input, found, label, value, typed, isOpen, activeIndex, canClear, ...actions }
}
export type Combobox<Value> = ReturnType<typeof useCombobox<Value>>
