import type { WidgetProps } from '@rjsf/utils'
import { useState } from 'react'
import { findWords, hasWords } from '../../../../schemas/api/find/findText.ts'
import type { OptionSource, PickerOption, SearchResult } from './combobox.ts'
import { Picker } from './Picker.tsx'

/** The most options that are listed at once. */
const maxListed = 100

/** The options whose label has every word of the text. */
const matches = <Value,>(options: readonly PickerOption<Value>[], text: string) => {
  const words = findWords(text)
  return options.filter(({ label }) => hasWords(label, words))
}

/** Searches options that are already loaded. */
const useOptionList = (options: readonly PickerOption<unknown>[], value: unknown): OptionSource<unknown> => {
  const [found, setFound] = useState<SearchResult<unknown>>({ state: 'idle', options: [] })
  const search = (text: string) => {
    const all = matches(options, text)
    const isCut = all.length > maxListed
    setFound({ state: 'found', options: all.slice(0, maxListed), ...(isCut && { first: maxListed }) })
  }
  const label = options.find((option) => option.value === value)?.label ?? ''
  return { found, search, reset: () => setFound({ state: 'idle', options: [] }), label }
}

/** A picker for one of many values that are already loaded, found by typing words of its name. */
export const SearchedChoice = (widget: WidgetProps) => {
  const { required, options } = widget
  const value: unknown = widget.value ?? null
  const source = useOptionList(options.enumOptions ?? [], value)
  return <Picker widget={widget} source={source} held={{ value, canBeEmpty: !required, empty: undefined }} />
}
