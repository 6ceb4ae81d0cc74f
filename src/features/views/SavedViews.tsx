import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { TickIcon } from '@blueprintjs/icons'
import { useActor } from '@xstate/react'
import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { defaultView, type View, type ViewCount } from '../../../schemas/api/lists/views.ts'
import { formatCount } from '../../parts/format.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import { loadable } from '../../parts/loadable.tsx'
import { handleMenuKey, menuItems } from '../../parts/menu/menuKeys.ts'
import { MenuPopover } from '../../parts/menu/MenuPopover.tsx'
import './views.css'
import { addressOf, searchOf, type ViewMachines } from './views.ts'

const AskView = loadable(async () => (await import('./AskView.tsx')).AskView)

type Props = { machines: ViewMachines }

/** The named views of a list (views 1): choose, save and remove one. */
export const SavedViews = ({ machines }: Props) => {
  const [params, setParams] = useSearchParams()
  const search = searchOf(params)
  const [saved, send] = useActor(machines.list, useActorEnvironment())
  useEffect(() => send({ type: 'load' }), [send])
  const reload = () => send({ type: 'load' })
  const views = (saved.context.result ?? []) as View[]
  const current = views.find((view) => searchOf(new URLSearchParams(view.search)) === search)
  const isDefault = search === ''
  const id = useId()
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
      <ViewMenu
        id={id}
        text={current ? titleOf(current) : isDefault ? 'Default' : 'Not saved'}
        isDefault={isDefault && !current}
        {...{ machines, views, current }}
        onChoose={(view) => setParams((before) => addressOf(view?.search ?? '', before))}
      />
      {saved.matches('failed') && <Button text="Load views again" onClick={reload} />}
      <RemoveView view={current} machine={machines.remove} onRemoved={reload} />
      {!current && !isDefault && <SaveView {...{ machines, search, onSaved }} />}
    </div>
  )
}

const titleOf = ({ own, name, owner }: View) => (own ? name : `${name} (${owner})`)

type MenuProps = Props & {
  /** Of the button. */
  id: string
  /** What is shown now. */
  text: string
  isDefault: boolean
  views: readonly View[]
  current: View | undefined
  /** Nothing is chosen with the default. */
  onChoose: (view?: View) => void
}

/** The views as a menu; how many records each has is asked for whenever it opens (views 4). */
const ViewMenu = ({ id, machines, text, ...items }: MenuProps) => {
  const [isOpen, setOpen] = useState(false)
  const [counts, send] = useActor(machines.counts, useActorEnvironment())
  useEffect(() => {
    if (isOpen) send({ type: 'load' })
  }, [isOpen, send])
  return (
    <MenuPopover
      isOpen={isOpen}
      shouldReturnFocusOnClose
      onOpen={() => setOpen(true)}
      onInteraction={setOpen}
      placement="bottom-start"
      onOpened={(popover) => {
        const choices = menuItems(popover)
        const checked = choices.find((item) => item.getAttribute('aria-checked') === 'true')
        ;(checked ?? choices[0])?.focus()
      }}
      content={<ViewItems counts={(counts.context.result ?? []) as ViewCount[]} {...items} />}
      button={{ id, text: `View: ${text}`, textClassName: 'view-chosen' }}
    />
  )
}

type ItemsProps = Pick<MenuProps, 'isDefault' | 'views' | 'current' | 'onChoose'> & {
  counts: readonly ViewCount[]
}

const ViewItems = ({ isDefault, views, current, counts, onChoose }: ItemsProps) => {
  const countOf = (id: number) => counts.find((count) => count.id === id)
  const itemOf = (view: View) => (
    <ViewItem
      key={view.id}
      text={titleOf(view)}
      isChosen={view === current}
      count={countOf(view.id)}
      onChoose={() => onChoose(view)}
    />
  )
  return (
    <Menu className="view-menu" aria-label="View" onKeyDown={handleMenuKey}>
      <ViewItem
        text="Default"
        isChosen={isDefault}
        count={countOf(defaultView)}
        onChoose={() => onChoose()}
      />
      <ViewGroup title="Own">{views.filter(({ own }) => own).map(itemOf)}</ViewGroup>
      <ViewGroup title="Shared">{views.filter(({ own }) => !own).map(itemOf)}</ViewGroup>
    </Menu>
  )
}

const ViewGroup = ({ title, children }: { title: string; children: readonly ReactNode[] }) =>
  children.length > 0 && (
    <li role="none" className="view-group">
      <span aria-hidden="true">{title}</span>
      <ul role="group" aria-label={title}>
        {children}
      </ul>
    </li>
  )

type ItemProps = {
  text: string
  isChosen: boolean
  count?: ViewCount | undefined
  onChoose: () => void
}

const ViewItem = ({ text, isChosen, count, onChoose }: ItemProps) => (
  <MenuItem
    role="menuitemradio"
    aria-checked={isChosen}
    icon={isChosen ? <TickIcon /> : <span className="view-no-icon" />}
    text={text}
    labelElement={count && <RecordCount {...count} />}
    onClick={onChoose}
  />
)

/** '12', or '1,000+' where there are more; nothing where it is not known. */
const RecordCount = ({ total, more }: ViewCount) =>
  total !== null && (
    <span className="view-count">
      {`${formatCount(total)}${more ? '+' : ''}`}
      <span className="visually-hidden">{total === 1 ? ' record' : ' records'}</span>
    </span>
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
  const machine = useMemo(() => machines.save(search, () => isShared.current), [machines, search])
  const [snapshot, send] = useDecision(machine, onSaved)
  return (
    <>
      <Button
        text="Save view"
        onClick={() => send({ type: 'ask', subject: { name: 'save', id: 0, version: 0 } })}
      />
      {!snapshot.matches('idle') && (
        <AskView
          search={search}
          busy={snapshot.matches('deciding')}
          fault={snapshot.context.faults['name']}
          onCancel={() => send({ type: 'cancel' })}
          onName={(text, shared) => {
            isShared.current = shared
            send({ type: 'decide', text })
          }}
        />
      )}
    </>
  )
}

type RemoveProps = { view: View | undefined; machine: ViewMachines['remove']; onRemoved: () => void }

/** It stays while others are chosen: the list is read again too once one that was left is removed. */
const RemoveView = ({ view, machine, onRemoved }: RemoveProps) => {
  const [snapshot, send] = useDecision(machine, onRemoved)
  if (!view?.removable) return null
  const isRemoving = snapshot.matches('deciding')
  const isThis = snapshot.context.subject?.id === view.id
  return (
    <Button
      text={`Remove “${view.name}”`}
      loading={isRemoving && isThis}
      disabled={isRemoving && !isThis}
      onClick={() => {
        // The one before may have failed.
        send({ type: 'cancel' })
        send({ type: 'ask', subject: { name: 'remove', id: view.id, version: 0 } })
        send({ type: 'decide', text: '' })
      }}
    />
  )
}
