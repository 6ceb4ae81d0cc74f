import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import { useId, type FocusEvent, type KeyboardEvent, type ReactElement } from 'react'
import {
  auditActions,
  auditFilters,
  auditRecords,
  type AuditAction,
} from '../../../schemas/api/audit/audit.ts'
import { chosenNames, filterText, actionTitle, recordTitle, type Chosen, type ChosenName } from './filters.ts'

type Props = { chosen: Chosen; onChoose: (next: Chosen) => void }
type ChangeFilter = (name: ChosenName, value: string) => void

/** The fields of the filters, and a button for each chosen filter that removes it. */
export const FilterBar = ({ chosen, onChoose }: Props) => {
  const change: ChangeFilter = (name, value) => {
    if ((chosen[name] ?? '') === value) return
    const { [name]: _former, ...others } = chosen
    onChoose(value === '' ? others : { ...others, [name]: value })
  }
  const picked = chosenNames.filter((name) => chosen[name])
  return (
    <>
      <div className="audit-filters" role="group" aria-label="Filters">
        <TextFilter name="person" value={chosen.person ?? ''} change={change} />
        <ChoiceFilter name="kind" value={chosen.kind ?? ''} change={change} options={kindOptions} />
        <ChoiceFilter name="record" value={chosen.record ?? ''} change={change} options={recordOptions} />
        <TextFilter name="recordid" value={chosen.recordid ?? ''} change={change} />
        <DayFilter name="from" value={chosen.from ?? ''} change={change} />
        <DayFilter name="to" value={chosen.to ?? ''} change={change} />
      </div>
      {picked.length > 0 && (
        <ul className="audit-chips" aria-label="Chosen filters">
          {picked.map((name) => (
            <li key={name}>
              <Button
                size="small"
                endIcon={<CrossIcon />}
                text={filterText(name, chosen[name]!)}
                aria-label={`Remove the filter ${filterText(name, chosen[name]!)}`}
                onClick={() => change(name, '')}
              />
            </li>
          ))}
          <li>
            <Button size="small" variant="minimal" text="Clear filters" onClick={() => onChoose({})} />
          </li>
        </ul>
      )}
    </>
  )
}

type Option = { value: string; label: string }
const byLabel = (one: Option, other: Option) => one.label.localeCompare(other.label)
const kindOptions = (Object.keys(auditActions) as AuditAction[]).map((value) => ({
  value,
  label: actionTitle(value),
}))
const recordOptions = Object.keys(auditRecords)
  .map((value) => ({ value, label: recordTitle(value) }))
  .sort(byLabel)

type FilterProps = { name: ChosenName; value: string; change: ChangeFilter }

const Labelled = ({ name, children }: { name: ChosenName; children: (id: string) => ReactElement }) => {
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>{auditFilters[name].title}</label>
      {children(id)}
    </div>
  )
}

/** A text is applied on Enter or when its field is left. */
const TextFilter = ({ name, value, change }: FilterProps) => {
  const send = ({ currentTarget }: FocusEvent<HTMLInputElement> | KeyboardEvent<HTMLInputElement>) =>
    change(name, currentTarget.value.trim())
  return (
    <Labelled name={name}>
      {(id) => (
        <InputGroup
          key={value}
          id={id}
          defaultValue={value}
          maxLength={auditFilters.person.maxLength}
          autoComplete="off"
          spellCheck={false}
          onBlur={send}
          onKeyDown={(event) => event.key === 'Enter' && send(event)}
        />
      )}
    </Labelled>
  )
}

const ChoiceFilter = ({ name, value, change, options }: FilterProps & { options: Option[] }) => (
  <Labelled name={name}>
    {(id) => (
      <HTMLSelect
        id={id}
        fill
        value={value}
        options={[{ value: '', label: 'All' }, ...options]}
        onChange={(event) => change(name, event.currentTarget.value)}
      />
    )}
  </Labelled>
)

/** The date field of the browser, whose value is empty until the date is complete. */
const DayFilter = ({ name, value, change }: FilterProps) => (
  <Labelled name={name}>
    {(id) => (
      <InputGroup
        key={value}
        id={id}
        type="date"
        max="9999-12-31"
        defaultValue={value}
        onBlur={(event) => change(name, event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && change(name, event.currentTarget.value)}
      />
    )}
  </Labelled>
)
