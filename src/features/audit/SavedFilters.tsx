import { Button, HTMLSelect } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { lazy, Suspense, useEffect, useId, useState } from 'react'
import type { AuditFilters, SavedFilter } from '../../../schemas/api/audit/audit.ts'
import { useActorEnvironment } from '../../parts/actorEnvironment.ts'
import { isSame } from './filters.ts'
import type { AuditMachines } from './machines.ts'

const AskName = lazy(async () => ({ default: (await import('./AskName.tsx')).AskName }))

type Props = {
  machines: Pick<AuditMachines, 'savedFilters' | 'keepFilter' | 'removeFilter'>
  filters: AuditFilters
  onApply: (filters: AuditFilters) => void
}

/** The filters that the viewer keeps (permissions 13): choose, save and remove one. */
export const SavedFilters = ({ machines, filters, onApply }: Props) => {
  const id = useId()
  const [saved, send] = useActor(machines.savedFilters, useActorEnvironment())
  useEffect(() => send({ type: 'load' }), [send])
  const reload = () => send({ type: 'load' })
  const kept = (saved.context.result ?? []) as SavedFilter[]
  const current = kept.find((one) => isSame(one.filters, filters))
  const isAny = Object.keys(filters).length > 0
  return (
    <div className="audit-saved">
      <label htmlFor={id}>Saved filters</label>
      <HTMLSelect
        id={id}
        value={current?.id ?? ''}
        disabled={kept.length === 0}
        options={[
          { value: '', label: kept.length === 0 ? 'None yet' : 'Choose a filter' },
          ...kept.map(({ id: value, name: label }) => ({ value, label })),
        ]}
        onChange={({ currentTarget }) => {
          const chosen = kept.find((one) => String(one.id) === currentTarget.value)
          if (chosen) onApply(chosen.filters)
        }}
      />
      {saved.matches('failed') && <Button text="Load again" onClick={reload} />}
      {current ? (
        <RemoveFilter key={current.id} filter={current} machine={machines.removeFilter} onRemoved={reload} />
      ) : (
        isAny && (
          <SaveFilter key={JSON.stringify(filters)} machine={machines.keepFilter(filters)} onSaved={reload} />
        )
      )}
    </div>
  )
}

/** The actor of a decision, which calls `onDone` once it is made. */
const useMade = (machine: AuditMachines['removeFilter'], onDone: () => void) => {
  const [withActions] = useState(() => machine.provide({ actions: { reloadRecord: onDone } }))
  return useActor(withActions, useActorEnvironment())
}

type SaveProps = { machine: AuditMachines['removeFilter']; onSaved: () => void }

const SaveFilter = ({ machine, onSaved }: SaveProps) => {
  const [snapshot, send] = useMade(machine, onSaved)
  return (
    <>
      <Button
        text="Save filter"
        onClick={() => send({ type: 'ask', subject: { name: 'save', id: 0, version: 0 } })}
      />
      {!snapshot.matches('idle') && (
        <Suspense>
          <AskName
            busy={snapshot.matches('deciding')}
            fault={snapshot.context.faults['name']}
            onCancel={() => send({ type: 'cancel' })}
            onName={(text) => send({ type: 'decide', text })}
          />
        </Suspense>
      )}
    </>
  )
}

type RemoveProps = { filter: SavedFilter; machine: AuditMachines['removeFilter']; onRemoved: () => void }

const RemoveFilter = ({ filter, machine, onRemoved }: RemoveProps) => {
  const [snapshot, send] = useMade(machine, onRemoved)
  return (
    <Button
      text={`Remove “${filter.name}”`}
      loading={snapshot.matches('deciding')}
      onClick={() => {
        send({ type: 'ask', subject: { name: 'remove', id: filter.id, version: 0 } })
        send({ type: 'decide', text: '' })
      }}
    />
  )
}
