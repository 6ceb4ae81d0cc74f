import { Button, HTMLSelect } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { lazy, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { View } from '../../../schemas/api/lists/views.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import { addressOf, searchOf, type ViewMachines } from './views.ts'
import './views.css'

const AskView = lazy(async () => ({ default: (await import('./AskView.tsx')).AskView }))

type Props = { machines: ViewMachines }

/** The named views of a list (views 1): choose, save and remove one. */
export const SavedViews = ({ machines }: Props) => {
  const id = useId()
  const [params, setParams] = useSearchParams()
  const search = searchOf(params)
  const [saved, send] = useActor(machines.saved, useActorEnvironment())
  useEffect(() => send({ type: 'load' }), [send])
  const reload = () => send({ type: 'load' })
  const views = (saved.context.result ?? []) as View[]
  const current = views.find((view) => searchOf(new URLSearchParams(view.search)) === search)
  const isDefault = search === ''
  // The button that saved the view is gone with what it saved: the choice of views has the focus then.
  const wasSaved = useRef(false)
  const currentId = current?.id
  useEffect(() => {
    if (currentId === undefined || !wasSaved.current) return
    wasSaved.current = false
    requestAnimationFrame(() => document.getElementById(id)?.focus())
  }, [currentId, id])
  const onSaved = () => {
    wasSaved.current = true
    reload()
  }
  return (
    <div className="saved-views">
      <label htmlFor={id}>View</label>
      <HTMLSelect
        id={id}
        value={current?.id ?? (isDefault ? '' : 'other')}
        onChange={({ currentTarget: { value } }) =>
          setParams((before) =>
            addressOf(views.find(({ id: one }) => String(one) === value)?.search ?? '', before),
          )
        }
      >
        <option value="">Default</option>
        {!current && !isDefault && <option value="other">Not saved</option>}
        <ViewGroup label="Own" views={views.filter(({ own }) => own)} />
        <ViewGroup label="Shared" views={views.filter(({ own }) => !own)} />
      </HTMLSelect>
      {saved.matches('failed') && <Button text="Load views again" onClick={reload} />}
      {current?.removable && (
        <RemoveView key={current.id} view={current} machine={machines.remove} onRemoved={reload} />
      )}
      {!current && !isDefault && <SaveView {...{ machines, search, onSaved }} />}
    </div>
  )
}

const ViewGroup = ({ label, views }: { label: string; views: View[] }) =>
  views.length > 0 && (
    <optgroup label={label}>
      {views.map(({ id, name, own, owner }) => (
        <option key={id} value={id}>
          {own ? name : `${name} (${owner})`}
        </option>
      ))}
    </optgroup>
  )

/** The actor of a decision, which calls `onDone` once it is made. */
const useDecision = (machine: ViewMachines['remove'], onDone: () => void) => {
  const [withActions] = useState(() => machine.provide({ actions: { reloadRecord: onDone } }))
  return useActor(withActions, useActorEnvironment())
}

type SaveProps = Props & { search: string; onSaved: () => void }

const SaveView = (props: SaveProps) => <SaveButton key={props.search} {...props} />

const SaveButton = ({ machines, search, onSaved }: SaveProps) => {
  const isShared = useRef(false)
  const machine = useMemo(() => machines.keep(search, () => isShared.current), [machines, search])
  const [snapshot, send] = useDecision(machine, onSaved)
  return (
    <>
      <Button
        text="Save view"
        onClick={() => send({ type: 'ask', subject: { name: 'save', id: 0, version: 0 } })}
      />
      {!snapshot.matches('idle') && (
        <Suspense>
          <AskView
            busy={snapshot.matches('deciding')}
            fault={snapshot.context.faults['name']}
            onCancel={() => send({ type: 'cancel' })}
            onName={(text, shared) => {
              isShared.current = shared
              send({ type: 'decide', text })
            }}
          />
        </Suspense>
      )}
    </>
  )
}

type RemoveProps = { view: View; machine: ViewMachines['remove']; onRemoved: () => void }

const RemoveView = ({ view, machine, onRemoved }: RemoveProps) => {
  const [snapshot, send] = useDecision(machine, onRemoved)
  return (
    <Button
      text={`Remove “${view.name}”`}
      loading={snapshot.matches('deciding')}
      onClick={() => {
        send({ type: 'ask', subject: { name: 'remove', id: view.id, version: 0 } })
        send({ type: 'decide', text: '' })
      }}
    />
  )
}
