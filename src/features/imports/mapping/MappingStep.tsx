import { Button, Callout, Checkbox, HTMLSelect } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useState } from 'react'
import type { mappingMachine } from '../../../../machines/mapping.machine.ts'
import type { Import } from '../../../../schemas/imports/imports.ts'
import {
  isMergeKey,
  mappingFault,
  type ChosenHeading,
  type Mapping,
  type MappingDifference,
  type MappingProposal,
} from '../../../../schemas/imports/mapping/mapping.ts'
import { formatCount } from '../../../parts/format.ts'
import { useActorEnvironment } from '../../../parts/hooks/actorEnvironment.ts'
import { TableFrame } from '../../../parts/table/TableFrame.tsx'
import { useDraft, type DraftId } from '../../../parts/unsaved/useDraft.tsx'
import { isMappingOf, orderFields, sharedColumns, toggleSheet, unusedColumns } from './editMapping.ts'
import { FieldRow } from './FieldRow.tsx'
import './mapping.css'
import { previewMapping } from './previewRows.ts'

type Props = {
  definition: Import
  proposal: MappingProposal
  machine: typeof mappingMachine
  /** What is chosen is stored under it when the session ends. */
  draftId: DraftId
  /** Sends the file with the mapping. */
  onAccept: (mapping: Mapping) => void
  /** Sends the file with the rows that are its headings, to be asked about again. */
  onHeadings: (headings: ChosenHeading[]) => void
  onCancel: () => void
}

/** The columns of a file with headings of its own, for each of the kind's fields (mapping 3). */
export const MappingStep = (props: Props) => {
  const { definition, proposal, onHeadings } = props
  const { snapshot, send, offer, change, accept, cancel } = useMapping(props)
  const { mapping, fault } = snapshot.context
  const unused = unusedColumns(mapping)
  const shared = sharedColumns(definition, mapping)
  const isComparing = snapshot.matches('comparing')
  const title = isComparing ? 'The columns have changed' : 'Which columns are these?'
  return (
    <section className="mapping-step" aria-label={title}>
      <h2>{title}</h2>
      {offer}
      {proposal.difference && isComparing ? (
        <Difference difference={proposal.difference} />
      ) : (
        <>
          <p className="mapping-note">
            The heading of this file is not known. Choose a column for each field; the choice is kept with the
            import, and the next file of this heading is read without asking.
          </p>
          <Headings {...{ proposal, onHeadings }} />
          <Sheets {...{ definition, proposal, mapping }} onChange={change} />
          <Fields {...{ definition, proposal, mapping }} onChange={change} />
        </>
      )}
      {unused.length > 0 && <p className="mapping-note">Columns that no field takes: {unused.join(', ')}.</p>}
      <div role="status">
        {shared.map((sentence) => (
          <Callout key={sentence} compact intent="warning">
            {sentence}
          </Callout>
        ))}
      </div>
      <PreviewTable {...{ definition, proposal, mapping }} />
      <p className="mapping-fault" role="status">
        {fault && `${fault}.`}
      </p>
      <div className="mapping-actions">
        <Button
          intent="primary"
          text={isComparing ? 'Accept' : 'Use these columns'}
          disabled={!snapshot.can({ type: 'accept' })}
          onClick={accept}
        />
        {isComparing && <Button text="Change columns" onClick={() => send({ type: 'edit' })} />}
        <Button text="Cancel" onClick={cancel} />
      </div>
    </section>
  )
}

/** The actor of the choice, which is stored as a draft when the session ends (lists 12). */
const useMapping = ({ definition, proposal, machine, draftId, onAccept, onCancel }: Props) => {
  const [withActions] = useState(() =>
    machine.provide({
      actions: { sendMapping: ({ context }) => onAccept(context.mapping), dismiss: onCancel },
    }),
  )
  const [snapshot, send] = useActor(withActions, {
    ...useActorEnvironment(),
    input: {
      mapping: proposal.mapping,
      fault: mappingFault(definition, proposal.mapping),
      isDifferent: proposal.difference !== null,
    },
  })
  const draft = useDraft(draftId, {
    isOffered: (it) => isMappingOf(proposal, it),
    onRestore: (it) => {
      if (snapshot.matches('comparing')) send({ type: 'edit' })
      change(it as Mapping)
    },
  })
  const change = (changed: Mapping) => {
    draft.type(changed)
    send({ type: 'change', mapping: changed, fault: mappingFault(definition, changed) })
  }
  const accept = () => {
    draft.forget()
    send({ type: 'accept' })
  }
  const cancel = () => {
    draft.type(null)
    draft.forget()
    send({ type: 'cancel' })
  }
  return { snapshot, send, offer: draft.offer, change, accept, cancel }
}

/** What differs from the saved mapping (mapping 5), a line for each kind of difference. */
const Difference = ({ difference }: { difference: MappingDifference }) => {
  const { processor, renamed, moved, missing, added } = difference
  const lines = [
    ['Renamed', renamed.map(({ from, to }) => `${from} → ${to}`)],
    ['Moved', moved],
    ['Missing', missing],
    ['New, not used', added],
  ] as const
  return (
    <Callout compact intent={missing.length ? 'warning' : 'primary'}>
      <p>The heading differs from the one that was mapped before{processor && ` for ${processor}`}:</p>
      <dl className="mapping-difference">
        {lines
          .filter(([, names]) => names.length > 0)
          .map(([label, names]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{names.join(', ')}</dd>
            </div>
          ))}
      </dl>
    </Callout>
  )
}

/** The row of the heading of each sheet; another one is read when the button is pressed (mapping 3). */
const Headings = ({ proposal: { sheets }, onHeadings }: Pick<Props, 'proposal' | 'onHeadings'>) => {
  const [rows, setRows] = useState(() => sheets.map(({ row }) => row))
  const isChanged = sheets.some(({ row }, at) => row !== rows[at])
  return (
    <form
      className="mapping-headings"
      aria-label="Headings"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) onHeadings(sheets.map(({ name: sheet }, at) => ({ sheet, row: rows[at]! })))
      }}
    >
      {sheets.map(({ name, starts }, at) => (
        <label key={name}>
          {sheets.length > 1 ? `Heading of ${name}` : 'Heading'}
          <HTMLSelect
            aria-label={sheets.length > 1 ? `Heading of ${name}` : 'Heading'}
            value={rows[at]}
            options={starts.map(({ row, text }) => ({ value: row, label: `Row ${row}: ${text}` }))}
            onChange={({ target: { value } }) =>
              setRows(rows.map((row, index) => (index === at ? Number(value) : row)))
            }
          />
        </label>
      ))}
      <Button type="submit" text="Read with this heading" disabled={!isChanged} />
    </form>
  )
}

type PartProps = { proposal: MappingProposal; mapping: Mapping; onChange: (mapping: Mapping) => void }

/**
 * Of a workbook with several tables, those that are read; the first is merged with the others (mapping 6).
 */
const Sheets = ({ definition, proposal, mapping, onChange }: PartProps & { definition: Import }) =>
  proposal.sheets.length > 1 && (
    <fieldset className="mapping-sheets">
      <legend>Sheets, merged by the merchant’s id</legend>
      {proposal.sheets.map((sheet) => {
        const isUsed = mapping.sheets.some(({ name }) => name === sheet.name)
        return (
          <Checkbox
            inline
            key={sheet.name}
            checked={isUsed}
            disabled={isUsed && mapping.sheets.length === 1}
            label={`${sheet.name} (${formatCount(sheet.lines)} ${sheet.lines === 1 ? 'row' : 'rows'})`}
            onChange={() =>
              onChange(toggleSheet(mapping, definition.columns.find(isMergeKey)!, sheet, !isUsed))
            }
          />
        )
      })}
    </fieldset>
  )

const Fields = ({ definition, proposal, mapping, onChange }: PartProps & { definition: Import }) => {
  const [showsAll, setShowsAll] = useState(false)
  const [{ first, others }] = useState(() => orderFields(definition, proposal.mapping))
  const shown = showsAll ? [...first, ...others] : first
  return (
    <>
      <div className="mapping-fields" role="group" aria-label="Fields">
        {shown.map((column) => (
          <FieldRow
            key={column.field}
            {...{ definition, column, proposal, mapping, onChange }}
            reason={proposal.reasons[column.field]}
          />
        ))}
      </div>
      {!showsAll && others.length > 0 && (
        <div>
          <Button
            size="small"
            text={`Show ${others.length} more ${others.length === 1 ? 'field' : 'fields'}`}
            onClick={() => setShowsAll(true)}
          />
        </div>
      )}
    </>
  )
}

/** The first rows as they will be imported. */
const PreviewTable = ({
  definition,
  proposal,
  mapping,
}: Omit<PartProps, 'onChange'> & { definition: Import }) => {
  const { columns, rows } = previewMapping(definition, proposal, mapping)
  return (
    columns.length > 0 && (
      <TableFrame label="The first rows as they are read">
        <thead>
          <tr>
            {columns.map(({ field, head }) => (
              <th key={field} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map(({ text, isFault }, at) => (
                <td key={columns[at]!.field} className={isFault ? 'mapping-cell-fault' : undefined}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </TableFrame>
    )
  )
}
