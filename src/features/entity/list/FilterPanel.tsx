import { Button, Callout, Checkbox, FormGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'
import type { WidgetProps } from '@rjsf/utils'
import { useId, useRef, useState, type FormEvent } from 'react'
import type { Entity } from '../../../../schemas/entities/entity.ts'
import { optionsOf, valueTitle } from '../../../../schemas/entities/lists/columns.ts'
import {
  canBeEmpty,
  filterColumns,
  maxReferences,
  parseFilters,
  writeFilters,
  type FilterTest,
} from '../../../../schemas/entities/lists/filters.ts'
import type { SearchRecords } from '../../../forms/context.ts'
import { Reference } from '../../../forms/widgets/picker/Reference.tsx'
import { useLabels } from './filterLabels.ts'

type FilterColumn = ReturnType<typeof filterColumns>[number]

type Props = {
  entity: Entity
  /** As in the address. */
  filter: string
  searchRecords: SearchRecords | undefined
  onApply: (filter: string) => void
  onClose: () => void
}

/** What is asked of a column while nothing was chosen. */
const blank = ({ kind }: FilterColumn): FilterTest => {
  if (kind === 'text') return { is: 'filled' }
  return kind === 'choice' || kind === 'reference'
    ? { is: 'among', values: [] }
    : { is: 'between', from: null, to: null }
}

/** Chooses a column and what is asked of it; one column has one filter (lists 15). */
export const FilterPanel = ({ entity, filter, searchRecords, onApply, onClose }: Props) => {
  const columns = filterColumns(entity)
  const { filters } = parseFilters(entity, filter)
  const known = (column: FilterColumn) =>
    filters.find((one) => one.column.field === column.column.field)?.test
  const [chosen, setChosen] = useState(columns[0]!)
  const [test, setTest] = useState(() => known(chosen) ?? blank(chosen))
  const [fault, setFault] = useState<string | null>(null)
  const choose = (field: string) => {
    const next = columns.find(({ column }) => column.field === field)
    if (!next) return
    setChosen(next)
    setTest(known(next) ?? blank(next))
    setFault(null)
  }
  const apply = (event: FormEvent) => {
    event.preventDefault()
    const others = filters.filter(({ column }) => column.field !== chosen.column.field)
    const written = writeFilters([...others, { column: chosen.column, test }])
    const isBlank =
      test.is === 'among' ? test.values.length === 0 : test.is === 'between' && !test.from && !test.to
    const found = isBlank ? 'Choose a value, or Close' : parseFilters(entity, written).fault
    setFault(found)
    if (found === null) whenReleased(isEntering.current, () => onApply(written))
  }
  const isEntering = useRef(false)
  return (
    <form
      className="filter-panel"
      aria-label={`Filter ${entity.title}`}
      noValidate
      onSubmit={apply}
      onKeyDown={({ key }) => (isEntering.current = key === 'Enter')}
      onKeyUp={() => (isEntering.current = false)}
    >
      <ColumnSelect columns={columns} chosen={chosen} onChoose={choose} />
      <ConditionSelect column={chosen} test={test} onChange={setTest} />
      <ValueFields
        key={chosen.column.field}
        {...{ entity, column: chosen, test, searchRecords }}
        onChange={setTest}
      />
      <div className="filter-actions">
        <Button type="submit" intent="primary" text="Apply" />
        <Button text="Close" onClick={onClose} />
      </div>
      {fault !== null && (
        <Callout intent="danger" role="alert" className="filter-fault">
          {fault}
        </Callout>
      )}
    </form>
  )
}

/**
 * Acts when the key that is held comes up: a button that got the focus while Enter is down would be pressed
 * by its release, and open the panel again.
 */
const whenReleased = (isHeld: boolean, act: () => void) =>
  isHeld ? window.addEventListener('keyup', act, { once: true }) : act()

type ColumnSelectProps = {
  columns: readonly FilterColumn[]
  chosen: FilterColumn
  onChoose: (field: string) => void
}

const ColumnSelect = ({ columns, chosen, onChoose }: ColumnSelectProps) => {
  const id = useId()
  return (
    <FormGroup label="Column" labelFor={id}>
      <HTMLSelect
        id={id}
        autoFocus
        iconProps={{ title: undefined, 'aria-hidden': true }}
        value={chosen.column.field}
        options={columns.map(({ column, property }) => ({
          value: column.field,
          label: valueTitle(column, property),
        }))}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      />
    </FormGroup>
  )
}

type TestProps = { column: FilterColumn; test: FilterTest; onChange: (test: FilterTest) => void }

/** Whether a value is asked for, or that there is one, or none. */
const ConditionSelect = ({ column, test, onChange }: TestProps) => {
  const id = useId()
  if (!canBeEmpty(column)) return null
  const options = [
    ...(column.kind === 'text' ? [] : [{ value: 'value', label: 'has the value' }]),
    { value: 'empty', label: 'is empty' },
    { value: 'filled', label: 'is not empty' },
  ]
  return (
    <FormGroup label="Condition" labelFor={id}>
      <HTMLSelect
        id={id}
        iconProps={{ title: undefined, 'aria-hidden': true }}
        value={test.is === 'empty' || test.is === 'filled' ? test.is : 'value'}
        options={options}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === 'empty' || value === 'filled' ? { is: value } : blank(column))
        }
      />
    </FormGroup>
  )
}

type ValueProps = TestProps & Pick<Props, 'entity' | 'searchRecords'>

const ValueFields = ({ entity, column, test, searchRecords, onChange }: ValueProps) => {
  if (test.is === 'among')
    return column.kind === 'choice' ? (
      <Choices column={column} values={test.values} onChange={onChange} />
    ) : (
      <References {...{ entity, column, searchRecords, onChange }} values={test.values} />
    )
  if (test.is !== 'between') return null
  const set = (change: { from?: string; to?: string }) => {
    const { from = test.from, to = test.to } = change
    onChange({ is: 'between', from: from || null, to: to || null })
  }
  return (
    <>
      <Bound label="From" column={column} value={test.from} onChange={(from) => set({ from })} />
      <Bound label="To" column={column} value={test.to} onChange={(to) => set({ to })} />
    </>
  )
}

type Values = Extract<FilterTest, { is: 'among' }>['values']

const Choices = ({ column, values, onChange }: Omit<TestProps, 'test'> & { values: Values }) => {
  const title = valueTitle(column.column, column.property)
  const options = optionsOf(column.column, column.property)
  const toggle = (value: Values[number], isOn: boolean) =>
    onChange({
      is: 'among',
      values: options.map((it) => it.value).filter((one) => (one === value ? isOn : values.includes(one))),
    })
  return (
    <fieldset className="filter-choices">
      <legend>{title}</legend>
      {options.map(({ value, title: label }) => (
        <Checkbox
          key={String(value)}
          inline
          label={label}
          checked={values.includes(value)}
          onChange={({ currentTarget }) => toggle(value, currentTarget.checked)}
        />
      ))}
    </fieldset>
  )
}

type ReferencesProps = Omit<ValueProps, 'test'> & { values: Values }

/** A picker, and the records that were picked with it. */
const References = ({ entity, column, values, searchRecords, onChange }: ReferencesProps) => {
  const id = useId()
  const picked = [{ column: column.column, kind: 'reference', test: { is: 'among', values } }] as const
  const labels = useLabels(entity, picked, searchRecords)
  const labelOf = (id: number) => labels(column.column.field, id)
  const title = valueTitle(column.column, column.property)
  const widget = {
    id,
    name: id,
    label: title,
    value: null,
    schema: column.property,
    registry: { formContext: { searchRecords } },
    disabled: values.length >= maxReferences,
    onChange: (picked: unknown) => {
      if (typeof picked === 'number' && !values.includes(picked))
        onChange({ is: 'among', values: [...values, picked] })
    },
    onBlur: () => {},
    onFocus: () => {},
  }
  return (
    <>
      <FormGroup label={title} labelFor={id}>
        {/* The widget of the forms, which uses no more of its props than these. */}
        <Reference {...(widget as unknown as WidgetProps)} />
      </FormGroup>
      {values.length > 0 && (
        <ul className="filter-picked" aria-label={`Picked for ${title}`}>
          {values.map((value) => (
            <li key={String(value)}>
              {labelOf(Number(value))}
              <Button
                size="small"
                variant="minimal"
                text="Remove"
                aria-label={`Remove ${labelOf(Number(value))}`}
                onClick={() => onChange({ is: 'among', values: values.filter((one) => one !== value) })}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const inputTypes: Partial<Record<FilterColumn['kind'], string>> = { days: 'date', months: 'month' }

type BoundProps = {
  label: string
  column: FilterColumn
  value: string | null
  onChange: (text: string) => void
}

/** One end of a range; either may stay open. */
const Bound = ({ label, column: { kind }, value, onChange }: BoundProps) => {
  const id = useId()
  return (
    <FormGroup label={label} labelFor={id}>
      <InputGroup
        id={id}
        type={inputTypes[kind] ?? 'text'}
        inputMode={kind === 'numbers' ? 'decimal' : undefined}
        max={kind === 'days' ? '2999-12-31' : undefined}
        placeholder={kind === 'months' ? '2026-01' : undefined}
        autoComplete="off"
        value={value ?? ''}
        onChange={({ currentTarget: { value: text } }) =>
          // Amounts may be pasted as the portal writes them (lists 9).
          onChange(kind === 'numbers' ? text.replace(/[\s$,%]/g, '') : text.trim())
        }
      />
    </FormGroup>
  )
}
