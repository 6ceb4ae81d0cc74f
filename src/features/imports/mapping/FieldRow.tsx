import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { PlusIcon } from '@blueprintjs/icons'
import type { Import, ImportColumn } from '../../../../schemas/imports/imports.ts'
import {
  canBePadded,
  canBeSummed,
  columnsOfSource,
  constantFault,
  isMergeKey,
  type ColumnRef,
  type GuessReason,
  type Mapping,
  type MappingProposal,
} from '../../../../schemas/imports/mapping/mapping.ts'
import {
  chooseColumn,
  columnKey,
  constantChoice,
  noColumn,
  setConstant,
  setPad,
  setSign,
  takenColumns,
} from './editMapping.ts'

type Props = {
  definition: Import
  column: ImportColumn
  proposal: MappingProposal
  mapping: Mapping
  /** Why a column was proposed. */
  reason: GuessReason | undefined
  onChange: (mapping: Mapping) => void
}

const reasons: Record<GuessReason, string> = {
  name: 'by its name',
  alias: 'by a known name',
  shape: 'by its values: please check',
  total: 'because the amounts add up: please check',
  saved: 'as before',
}

/** One field: the columns it takes with samples, their signs, one value for all rows, zeros from the left. */
export const FieldRow = ({ definition, column, proposal, mapping, reason, onChange }: Props) => {
  const source = mapping.fields[column.field]
  const columns = columnsOfSource(source)
  const isConstant = source !== undefined && 'constant' in source
  const slots = isMergeKey(column) ? mapping.sheets.length : 1
  const places = Math.max(slots, columns.length)
  const proposed = proposal.mapping.fields[column.field]
  const isGuess = reason !== undefined && source === proposed
  return (
    <div className="mapping-field" role="group" aria-label={column.head}>
      <div className="mapping-field-name">
        <strong>{column.head}</strong>
        {column.required && <span className="import-required"> required</span>}
        {isGuess && <span className="mapping-reason">Proposed {reasons[reason]}</span>}
      </div>
      <div className="mapping-field-columns">
        {Array.from({ length: places }, (_, at) => (
          <ColumnChoice
            key={at}
            {...{ definition, column, proposal, mapping, onChange, at }}
            chosen={columns[at]}
            isConstant={isConstant && at === 0}
          />
        ))}
        {isConstant && (
          <InputGroup
            aria-label={`${column.head}, value for all rows`}
            placeholder="Value for all rows"
            maxLength={200}
            value={source.constant}
            onChange={(event) => onChange(setConstant(mapping, column, event.target.value))}
          />
        )}
        <FieldOptions {...{ column, proposal, mapping, onChange }} />
      </div>
    </div>
  )
}

/** The columns that a field may take still, in the order of the sheets. */
const freeColumns = (proposal: MappingProposal, mapping: Mapping, taken: readonly ColumnRef[]) =>
  proposal.sheets
    .filter(({ name }) => mapping.sheets.some((sheet) => sheet.name === name))
    .map(({ name: sheet, columns }) => ({
      sheet,
      columns: columns.filter(({ name }) => !taken.some((one) => one.sheet === sheet && one.name === name)),
    }))

/** The columns of each sheet as the options of a list, by their sheets where there are several. */
const ColumnOptions = ({ sheets }: { sheets: ReturnType<typeof freeColumns> }) =>
  sheets.map(({ sheet, columns }) => {
    const choices = columns.map(({ name }) => (
      <option key={name} value={columnKey({ sheet, name })}>
        {name}
      </option>
    ))
    return sheets.length > 1 ? (
      <optgroup key={sheet} label={sheet}>
        {choices}
      </optgroup>
    ) : (
      choices
    )
  })

type ChoiceProps = Pick<Props, 'definition' | 'column' | 'proposal' | 'mapping' | 'onChange'> & {
  /** Its place in a sum. */
  at: number
  chosen: ColumnRef | undefined
  isConstant: boolean
}

const ColumnChoice = ({
  definition,
  column,
  proposal,
  mapping,
  onChange,
  at,
  chosen,
  isConstant,
}: ChoiceProps) => {
  const { head } = column
  const others = columnsOfSource(mapping.fields[column.field]).filter((_, index) => index !== at)
  const sheets = freeColumns(proposal, mapping, others)
  const samples =
    chosen &&
    proposal.sheets
      .find(({ name }) => name === chosen.sheet)
      ?.columns.find(({ name }) => name === chosen.name)
      ?.samples.filter(Boolean)
  const label = at === 0 ? `Column of ${head}` : `Column ${at + 1} of ${head}`
  return (
    <div className="mapping-column">
      <div className="mapping-column-choice">
        {chosen && canBeSummed(column) && (
          <HTMLSelect
            className="mapping-sign"
            aria-label={`Sign of ${label.toLowerCase()}`}
            value={chosen.sign}
            options={[
              { value: 1, label: '+' },
              { value: -1, label: '−' },
            ]}
            onChange={(event) => onChange(setSign(mapping, column, at, event.target.value === '-1' ? -1 : 1))}
          />
        )}
        <HTMLSelect
          className="mapping-select"
          aria-label={label}
          value={isConstant ? constantChoice : chosen ? columnKey(chosen) : noColumn}
          onChange={(event) => onChange(chooseColumn(mapping, column, at, event.target.value))}
        >
          <option value={noColumn}>{at === 0 ? 'Not in the file' : 'No column'}</option>
          {at === 0 && constantFault(column, definition) === null && (
            <option value={constantChoice}>One value for all rows…</option>
          )}
          <ColumnOptions sheets={sheets} />
        </HTMLSelect>
      </div>
      {samples && (
        <span className="mapping-samples">{samples.join(' · ') || 'No value in the first rows'}</span>
      )}
    </div>
  )
}

/** A further column of a sum, and zeros from the left of a number. */
const FieldOptions = ({
  column,
  proposal,
  mapping,
  onChange,
}: Pick<Props, 'column' | 'proposal' | 'mapping' | 'onChange'>) => {
  const source = mapping.fields[column.field]
  const columns = columnsOfSource(source)
  if (!source || columns.length === 0) return null
  const free = freeColumns(proposal, mapping, columns).flatMap(({ sheet, columns: names }) =>
    names.map(({ name }) => ({ sheet, name })),
  )
  const isUnused = (one: (typeof free)[0]) => !takenColumns(mapping).has(columnKey(one))
  const next = canBeSummed(column) ? (free.find(isUnused) ?? free[0]) : undefined
  const pad = 'columns' in source ? source.pad : undefined
  return (
    <div className="mapping-options">
      {next && (
        <Button
          size="small"
          variant="minimal"
          icon={<PlusIcon />}
          text="Add a column"
          aria-label={`Add a column to ${column.head}`}
          onClick={() => onChange(chooseColumn(mapping, column, columns.length, columnKey(next)))}
        />
      )}
      {canBePadded(column) && column.kind !== 'text' && (
        <label className="mapping-pad">
          Fill with zeros to
          <InputGroup
            size="small"
            type="number"
            min={1}
            max={32}
            aria-label={`Digits of ${column.head}`}
            value={pad === undefined ? '' : String(pad)}
            onChange={(event) => {
              const digits = Number(event.target.value)
              const isDigits = Number.isInteger(digits) && digits >= 1 && digits <= 32
              onChange(setPad(mapping, column, isDigits ? digits : null))
            }}
          />
          digits
        </label>
      )}
    </div>
  )
}
