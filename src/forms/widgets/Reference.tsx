import { Button, Classes, InputGroup, Intent, Spinner } from '@blueprintjs/core'
import { CaretDown, Cross } from '@blueprintjs/icons'
import type { WidgetProps } from '@rjsf/utils'
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Property } from '../../../schemas/entities/entity.ts'
import type { LookupRow } from '../../../schemas/entities/lookups.ts'
import type { FormContext } from '../context.ts'
import { useAriaDescription } from '../fieldState.ts'
import { recordLabel, usePicker, type SearchResult } from './picker.ts'

/** As many as one search answers: then there may be more. */
const most = 20

/** The id of a record of another entity, found by typing part of its name (an ARIA combobox with a list). */
export const Reference = (props: WidgetProps) => {
  const {
    id,
    htmlName,
    name,
    label,
    required,
    disabled,
    readonly,
    placeholder,
    schema,
    registry,
    onChange,
    onBlur,
    onFocus,
  } = props
  const { searchRecords: lookup, labels } = registry.formContext as FormContext
  const property = schema as Property
  const value = typeof props.value === 'number' ? props.value : null
  const picker = usePicker(property, lookup, value, labels?.[name])
  const described = useAriaDescription()
  /** What is being typed; null while the chosen record's name stands there. */
  const [typed, setTyped] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const locked = disabled || readonly
  const nullable = [schema.type].flat().includes('null')
  const { rows, state } = picker.found
  const at = state === 'found' ? Math.min(active, rows.length - 1) : -1
  const optionId = (index: number) => `${id}__option${index}`

  // A name that comes to a field which has the focus already is replaced by what is typed, as one that was there before.
  useLayoutEffect(() => {
    if (typed === null && document.activeElement === input.current) input.current?.select()
    // What is being typed stays as it is, whatever comes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [picker.name])

  const show = () => {
    if (locked || open) return
    setOpen(true)
    setActive(-1)
    picker.search('', 0)
  }
  const close = () => {
    setOpen(false)
    setTyped(null)
    picker.forget()
  }
  const choose = (row: LookupRow) => {
    onChange(row.id)
    close()
  }
  const clear = () => {
    onChange(nullable ? null : undefined)
    close()
    input.current?.focus()
  }
  const type = (text: string) => {
    setTyped(text)
    setOpen(true)
    setActive(0)
    picker.search(text)
    if (text === '' && value !== null) onChange(nullable ? null : undefined)
  }
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (locked || (!open && step === 0)) return
    if (step !== 0) {
      if (!open) show()
      else if (rows.length > 0)
        setActive((at + step + (at < 0 && step < 0 ? 1 : 0) + rows.length) % rows.length)
    } else if (event.key === 'Enter') {
      const row = rows[at]
      if (row) choose(row)
    } else if (event.key === 'Escape') {
      close()
      event.stopPropagation()
    } else return
    event.preventDefault()
  }

  return (
    <div className="form-picker">
      <InputGroup
        {...described}
        inputRef={input}
        id={id}
        name={htmlName ?? id}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={open ? `${id}__list` : undefined}
        aria-activedescendant={open && at >= 0 ? optionId(at) : undefined}
        autoComplete="off"
        value={typed ?? picker.name}
        placeholder={placeholder || 'Type to search'}
        required={required}
        disabled={disabled}
        readOnly={readonly}
        intent={described['aria-invalid'] ? Intent.DANGER : Intent.NONE}
        rightElement={
          nullable && value !== null && !locked ? (
            <Button variant="minimal" icon={<Cross />} aria-label={`Clear ${label}`} onClick={clear} />
          ) : state === 'searching' ? (
            <Spinner className="form-picker-mark" size={14} aria-label={`Searching ${label}`} />
          ) : (
            <CaretDown className="form-picker-mark" />
          )
        }
        onChange={({ target }) => type(target.value)}
        onClick={show}
        onKeyDown={press}
        onFocus={({ target }) => {
          target.select()
          onFocus(id, value)
        }}
        onBlur={() => {
          close()
          onBlur(id, value)
        }}
      />
      <div className={open ? 'form-picker-list' : 'form-picker-list form-picker-shut'}>
        {open && (
          <ul id={`${id}__list`} role="listbox" aria-label={label} className={Classes.MENU}>
            {rows.map((row, index) => (
              <li
                key={row.id}
                id={optionId(index)}
                ref={(node) => void (index === at && node?.scrollIntoView?.({ block: 'nearest' }))}
                role="option"
                aria-selected={row.id === value}
                className={`${Classes.MENU_ITEM} ${index === at ? Classes.ACTIVE : ''}`}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(row)}
              >
                {recordLabel(property, row)}
              </li>
            ))}
          </ul>
        )}
        <div role="status" className={Classes.TEXT_MUTED}>
          {open && told(picker.found, typed)}
        </div>
      </div>
    </div>
  )
}

const told = ({ state, rows }: SearchResult, typed: string | null): string => {
  if (state === 'failed') return 'The list could not be loaded'
  if (state !== 'found') return rows.length > 0 ? '' : 'Searching'
  if (rows.length === 0) return typed ? `Nothing found for '${typed}'` : 'Nothing to choose from'
  return rows.length < most ? `${rows.length} found` : `The first ${rows.length}: type to narrow the list`
}
