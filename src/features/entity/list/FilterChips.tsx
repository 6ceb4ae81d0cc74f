import { Button, Callout } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import { writeFilters } from '../../../../schemas/entities/lists/filters.ts'
import type { FilterText } from './filterLabels.ts'

type Props = {
  texts: readonly FilterText[]
  /** The sentence about a filter that cannot be read. */
  fault: string | null
  onChange: (filter: string) => void
}

/** The filters of a list as buttons that remove them (lists 15), or the sentence about one at fault. */
export const FilterChips = ({ texts, fault, onChange }: Props) => {
  if (fault !== null)
    return (
      <Callout intent="danger" role="alert" className="filter-fault">
        <p>{fault}</p>
        <Button text="Clear filters" onClick={() => onChange('')} />
      </Callout>
    )
  if (texts.length === 0) return null
  const remove = ({ filter }: FilterText) =>
    onChange(writeFilters(texts.flatMap((other) => (other.filter === filter ? [] : [other.filter]))))
  return (
    <ul className="filter-chips" aria-label="Filters">
      {texts.map((one) => (
        <li key={one.filter.column.field}>
          <Button
            size="small"
            endIcon={<CrossIcon />}
            text={one.text}
            aria-label={`Remove the filter ${one.text}`}
            onClick={() => remove(one)}
          />
        </li>
      ))}
      <li className="filter-clear">
        <Button size="small" variant="minimal" text="Clear filters" onClick={() => onChange('')} />
      </li>
    </ul>
  )
}
