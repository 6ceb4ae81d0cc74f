import { Button, Checkbox, Classes, InputGroup, Radio } from '@blueprintjs/core'
import { ArrowDownIcon, ArrowUpIcon } from '@blueprintjs/icons'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { columnWidths } from '../../../../schemas/constants.ts'
import type { Column, Entity } from '../../../../schemas/entities/entity.ts'
import { densities, type Density } from '../../../../schemas/entities/lists/layout.ts'
import type { ListLayout } from './layout.ts'

type Props = { entity: Entity; layout: ListLayout; onClose: () => void }

const densityWords: Record<Density, string> = { comfortable: 'Comfortable', compact: 'Compact' }

/** Chooses, orders and sizes the columns of a list, and how closely its rows stand (lists 18). */
export const ColumnsPanel = ({ entity, layout, onClose }: Props) => {
  const order = useOrder(layout)
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.querySelector('input')?.focus(), [])
  const name = `Columns of ${entity.title}`
  const densityName = useId()
  return (
    <section ref={panel} className="columns-panel" aria-label={name}>
      <ul className="columns-list" aria-label={name}>
        {order.columns.map((column) => (
          <ColumnItem key={column.field} column={column} layout={layout} order={order} />
        ))}
      </ul>
      <div className="columns-ways">
        <div role="radiogroup" aria-label="Density" className="columns-density">
          <span className={Classes.LABEL} aria-hidden="true">
            Density
          </span>
          {densities.map((density) => (
            <Radio
              inline
              key={density}
              name={densityName}
              checked={layout.density === density}
              label={densityWords[density]}
              onChange={() => layout.setDensity(density)}
            />
          ))}
        </div>
        <div className="filter-actions">
          <Button text="Default columns" onClick={layout.reset} />
          <Button text="Close" onClick={onClose} />
        </div>
      </div>
      <p className="visually-hidden" role="status">
        {order.said}
      </p>
    </section>
  )
}

/**
 * All columns in the order of the panel: hidden ones keep their place while the panel is open. Functions
 * change which are shown, and in which order.
 */
function useOrder({ columns, offered, show }: ListLayout) {
  const fields = columns.map(({ field }) => field)
  const isShown = (field: string) => fields.includes(field)
  const byField = new Map(offered.map((column) => [column.field, column]))
  const hidden = [...byField.keys()].filter((field) => !isShown(field))
  const [known, setKnown] = useState([...fields, ...hidden])
  const [said, setSaid] = useState('')
  // Default columns, a view or Back brought other columns than this panel did.
  const order = known.filter(isShown).join() === fields.join() ? known : [...fields, ...hidden]
  const change = (next: readonly string[], shown: (field: string) => boolean) => {
    setKnown([...next])
    show(
      next.filter(shown).map((field) => ({
        ...byField.get(field)!,
        width: columns.find((column) => column.field === field)?.width ?? null,
      })),
    )
  }
  return {
    columns: order.map((field) => byField.get(field)!),
    said,
    place: (field: string) => fields.indexOf(field),
    toggle: (field: string, isOn: boolean) => change(order, (one) => (one === field ? isOn : isShown(one))),
    /** Before the shown column above it, or behind the one below it. */
    move: ({ field, head }: Column, step: -1 | 1) => {
      const place = fields.indexOf(field) + step
      const neighbour = fields[place]
      if (neighbour === undefined) return
      const others = order.filter((one) => one !== field)
      others.splice(others.indexOf(neighbour) + (step === 1 ? 1 : 0), 0, field)
      setSaid(`${head} is column ${place + 1} of ${fields.length}`)
      change(others, isShown)
    },
  }
}

type ItemProps = { column: Column; layout: ListLayout; order: ReturnType<typeof useOrder> }

const ColumnItem = ({ column, layout, order }: ItemProps) => {
  const { field, head } = column
  const place = order.place(field)
  const isShown = place >= 0
  const isOnly = isShown && layout.columns.length === 1
  return (
    <li className="columns-item">
      <Checkbox
        label={head}
        checked={isShown}
        disabled={isOnly}
        title={isOnly ? 'A list has at least one column' : undefined}
        onChange={({ currentTarget }) => order.toggle(field, currentTarget.checked)}
      />
      {isShown && (
        <>
          <WidthField column={column} layout={layout} />
          <MoveButton {...{ column, order }} step={-1} isEnd={place === 0} />
          <MoveButton {...{ column, order }} step={1} isEnd={place === layout.columns.length - 1} />
        </>
      )}
    </li>
  )
}

type MoveProps = Pick<ItemProps, 'column' | 'order'> & { step: -1 | 1; isEnd: boolean }

/** Keeps the focus on its way, also at the end, where it does nothing. */
const MoveButton = ({ column, order, step, isEnd }: MoveProps) => {
  const button = useRef<HTMLButtonElement>(null)
  const wasPressed = useRef(false)
  useEffect(() => {
    if (wasPressed.current) button.current?.focus()
    wasPressed.current = false
  })
  return (
    <Button
      ref={button}
      size="small"
      variant="minimal"
      className={isEnd ? 'columns-end' : undefined}
      aria-disabled={isEnd}
      aria-label={`Move ${column.head} ${step === -1 ? 'up' : 'down'}`}
      icon={step === -1 ? <ArrowUpIcon /> : <ArrowDownIcon />}
      onClick={() => {
        wasPressed.current = true
        order.move(column, step)
      }}
    />
  )
}

const wholeNumber = /^\d{1,3}$/

/** A number of pixels, or nothing; the arrow keys make it wider and narrower. */
const WidthField = ({ column, layout }: Omit<ItemProps, 'order'>) => {
  const { field, head } = column
  const id = useId()
  const place = layout.columns.findIndex((one) => one.field === field)
  const width = layout.columns[place]?.width ?? null
  const [typed, setTyped] = useState<string | null>(null)
  const { min, max, step } = columnWidths
  const isRight = (text: string) =>
    text === '' || (wholeNumber.test(text) && Number(text) >= min && Number(text) <= max)
  const text = typed ?? (width === null ? '' : String(width))
  const change = (next: string) => {
    setTyped(next)
    if (isRight(next)) layout.resize(field, next === '' ? null : Number(next))
  }
  const stepBy = (event: KeyboardEvent<HTMLInputElement>) => {
    const by = { ArrowUp: step, ArrowDown: -step }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const from = width ?? shownWidth(event.currentTarget, place)
    change(String(Math.min(Math.max(from + by, min), max)))
  }
  return (
    <InputGroup
      id={id}
      size="small"
      className="columns-width"
      inputMode="numeric"
      autoComplete="off"
      placeholder="auto"
      aria-label={`Width of ${head} in pixels`}
      title={`${min} to ${max} pixels, or empty`}
      aria-invalid={!isRight(text)}
      intent={isRight(text) ? 'none' : 'danger'}
      value={text}
      onChange={({ currentTarget: { value } }) => change(value.trim())}
      onBlur={() => setTyped(null)}
      onKeyDown={stepBy}
    />
  )
}

/** How wide a column without a width of its own is drawn, of the table below the tools with this field. */
const shownWidth = (input: Element, place: number): number => {
  const list = input.closest('.list-tools')?.parentElement
  const heads = list?.querySelectorAll<HTMLElement>('.table-scroll thead th')
  return heads?.[place]?.offsetWidth ?? columnWidths.min
}
