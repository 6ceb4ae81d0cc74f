import { Button } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useEffect, useState, type RefObject } from 'react'
import type { decisionMachine } from '../../../../machines/decision.machine.ts'
import type { loadMachine } from '../../../../machines/load.machine.ts'
import type { SavedMapping } from '../../../../schemas/imports/mapping/mapping.ts'
import { Confirm, useFocusAfterQuestion } from '../../../parts/Confirm.tsx'
import { formatLocalDateTime } from '../../../parts/format.ts'
import { useActorEnvironment } from '../../../parts/hooks/actorEnvironment.ts'
import { TableFrame } from '../../../parts/table/TableFrame.tsx'

export type MappingMachines = { list: typeof loadMachine; remove: typeof decisionMachine }
type Props = {
  machines: MappingMachines
  /** Changes whenever a file was imported, which may have saved a mapping. */
  version: unknown
}

/** The mappings saved for a kind of import, each with Delete (mapping 7); nothing while there is none. */
export const SavedMappings = ({ machines, version }: Props) => {
  const environment = useActorEnvironment()
  const [snapshot, send] = useActor(machines.list, environment)
  const [removeAndReload] = useState(() =>
    machines.remove.provide({ actions: { reloadRecord: () => send({ type: 'load' }) } }),
  )
  const [question, ask] = useActor(removeAndReload, environment)
  useEffect(() => send({ type: 'load' }), [send, version])
  const { subject } = question.context
  const frame = useFocusAfterQuestion(subject !== null, question.matches('deciding'))
  const mappings = snapshot.context.result as readonly SavedMapping[] | null
  if (snapshot.matches('failed'))
    return (
      <p role="alert">
        The saved mappings could not be loaded.{' '}
        <Button size="small" text="Try again" onClick={() => send({ type: 'load' })} />
      </p>
    )
  if (!mappings || mappings.length === 0) return null
  const chosen = mappings.find(({ id }) => id === subject?.id)
  return (
    <section className="import-history" aria-label="Saved mappings">
      <h2>Saved mappings</h2>
      <MappingTable
        {...{ mappings, frame }}
        onDelete={({ id }) => ask({ type: 'ask', subject: { name: 'mapping', id, version: 0 } })}
      />
      {chosen && (
        <Confirm
          choices={[
            {
              text: 'Delete the mapping',
              intent: 'danger',
              loading: question.matches('deciding'),
              onClick: () => ask({ type: 'decide', text: '' }),
            },
            { text: 'Keep it', onClick: () => ask({ type: 'cancel' }) },
          ]}
        >
          Delete the mapping of {nameOf(chosen)}? Files of this heading are asked about again; what was
          imported stays.
        </Confirm>
      )}
    </section>
  )
}

/** A mapping in words: its processor, or its first columns. */
const nameOf = ({ processor, columns }: SavedMapping) => processor || columns.slice(0, 3).join(', ')

type TableProps = {
  mappings: readonly SavedMapping[]
  frame: RefObject<HTMLDivElement | null>
  onDelete: (mapping: SavedMapping) => void
}

const MappingTable = ({ mappings, frame, onDelete }: TableProps) => {
  const hasProcessors = mappings.some(({ processor }) => processor !== '')
  return (
    <TableFrame label="Mappings" region={frame}>
      <thead>
        <tr>
          {hasProcessors && <th scope="col">Processor</th>}
          <th scope="col">Columns</th>
          <th scope="col">Saved</th>
          <th scope="col">
            <span className="visually-hidden">Delete</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {mappings.map((mapping) => (
          <tr key={mapping.id}>
            {hasProcessors && <td>{mapping.processor}</td>}
            <td>{mapping.columns.join(', ')}</td>
            <td>
              {formatLocalDateTime(mapping.at)} by {mapping.username}
            </td>
            <td>
              <Button
                size="small"
                text="Delete"
                aria-label={`Delete the mapping of ${nameOf(mapping)}`}
                onClick={() => onDelete(mapping)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}
