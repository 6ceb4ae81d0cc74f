import { Button, Classes, InputGroup, Intent, Spinner } from '@blueprintjs/core'
import { CaretDown, Cross } from '@blueprintjs/icons'
import type { WidgetProps } from '@rjsf/utils'
import { useLayoutEffect, useRef } from 'react'
import { useAriaDescription } from '../../fieldState.ts'
import {
  useCombobox,
  type Combobox,
  type OptionSource,
  type PickerValue,
  type SearchResult,
} from './combobox.ts'
import './picker.css'

type Props<Value> = { widget: WidgetProps; held: PickerValue<Value>; source: OptionSource<Value> }
type PartProps<Value> = { widget: WidgetProps; combobox: Combobox<Value> }

/** One of many values, found by typing a part of its label: an ARIA combobox with a list. */
export const Picker = <Value,>({ widget, held, source }: Props<Value>) => {
  const combobox = useCombobox(widget, held, source)
  const { isOpen, found, typed } = combobox
  return (
    <div className="form-picker">
      <PickerInput widget={widget} combobox={combobox} />
      <div className={isOpen ? 'form-picker-list' : 'form-picker-list form-picker-closed'}>
        {isOpen && <PickerOptions widget={widget} combobox={combobox} />}
        <div role="status" className={Classes.TEXT_MUTED}>
          {isOpen && describeResult(found, typed)}
        </div>
      </div>
    </div>
  )
}

const listId = ({ id }: WidgetProps) => `${id}__list`
const optionId = ({ id }: WidgetProps, index: number) => `${id}__option${index}`

const PickerInput = <Value,>({ widget, combobox }: PartProps<Value>) => {
  const { id, htmlName, required, disabled, readonly, placeholder, options, onBlur, onFocus } = widget
  // A closed field has a reason, one that waits for a save has none. A filter has no options.
  const isClosed = readonly || options?.['reason'] !== undefined
  const { input, label, value, typed, isOpen, activeIndex, open, close, type, pressKey } = combobox
  const described = useAriaDescription()
  return (
    <InputGroup
      {...described}
      inputRef={input}
      id={id}
      name={htmlName ?? id}
      role="combobox"
      aria-autocomplete="list"
      aria-expanded={isOpen}
      aria-controls={isOpen ? listId(widget) : undefined}
      aria-activedescendant={isOpen && activeIndex >= 0 ? optionId(widget, activeIndex) : undefined}
      autoComplete="off"
      value={typed ?? label}
      placeholder={isClosed ? undefined : placeholder || 'Type to search'}
      required={required}
      disabled={disabled}
      readOnly={readonly}
      intent={described['aria-invalid'] ? Intent.DANGER : Intent.NONE}
      rightElement={<InputMark widget={widget} combobox={combobox} />}
      onChange={({ target }) => type(target.value)}
      onClick={({ currentTarget }) => {
        // What is typed then replaces the label.
        if (!isOpen) currentTarget.select()
        open()
      }}
      onKeyDown={pressKey}
      onFocus={({ target }) => {
        target.select()
        onFocus(id, value)
      }}
      onBlur={() => {
        close()
        onBlur(id, value)
      }}
    />
  )
}

/** The right end of the input: a button that clears it, a spinner while a search runs, or an arrow. */
const InputMark = <Value,>({ widget: { label }, combobox: { canClear, clear, found } }: PartProps<Value>) => {
  if (canClear)
    return <Button variant="minimal" icon={<Cross />} aria-label={`Clear ${label}`} onClick={clear} />
  return found.state === 'searching' ? (
    <Spinner className="form-picker-mark" size={14} aria-label={`Searching ${label}`} />
  ) : (
    <CaretDown className="form-picker-mark" />
  )
}

const PickerOptions = <Value,>({ widget, combobox }: PartProps<Value>) => {
  const { input, found, value, activeIndex, choose } = combobox
  const list = useRef<HTMLUListElement>(null)
  const { length } = found.options
  // Low in a dialog or a window the list would be cut off. Of the two the field stays visible.
  useLayoutEffect(() => {
    for (const it of [list.current?.parentElement, input.current]) it?.scrollIntoView?.({ block: 'nearest' })
  }, [input, length])
  return (
    <ul ref={list} id={listId(widget)} role="listbox" aria-label={widget.label} className={Classes.MENU}>
      {found.options.map((option, index) => (
        <li
          key={String(option.value)}
          id={optionId(widget, index)}
          ref={(node) => void (index === activeIndex && node?.scrollIntoView?.({ block: 'nearest' }))}
          role="option"
          aria-selected={option.value === value}
          className={`${Classes.MENU_ITEM} ${index === activeIndex ? Classes.ACTIVE : ''}`}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(option)}
        >
          {option.label}
        </li>
      ))}
    </ul>
  )
}

const describeResult = ({ state, options, first }: SearchResult<unknown>, typed: string | null): string => {
  if (state === 'failed') return 'The list could not be loaded'
  if (state !== 'found') return options.length > 0 ? '' : 'Searching'
  if (options.length === 0) return typed ? `Nothing found for '${typed}'` : 'Nothing to choose from'
  return first === undefined ? `${options.length} found` : `The first ${first}: type to narrow the list`
}
