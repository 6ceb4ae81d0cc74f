import { Button, Dialog, DialogBody, InputGroup, Spinner } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { useActor } from '@xstate/react'
import { useCallback, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { SnapshotFrom } from 'xstate'
import type { findMachine } from '../../../machines/find.machine.ts'
import {
  canFind,
  findWords,
  hasWords,
  maxFindLength,
  minFindLength,
} from '../../../schemas/api/find/findText.ts'
import { getTypedEarly } from '../../parts/anywhere.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'

type FindMachine = typeof findMachine
/** One thing to choose: an address, or what is done instead of opening it. */
type FindOption = { text: string; to: string; run?: () => void }
type FindGroup = { title: string; rows: readonly FindOption[] }

type Props = {
  machine: FindMachine
  commands: readonly FindGroup[]
  onClose: () => void
  onChoose: (option: FindOption) => void
}

/** Finds records, screens and commands by their names (everywhere 1). */
export const FindDialog = ({ machine, commands, onClose, onChoose }: Props) => {
  const it = useFind(machine, commands)
  const { snapshot, text, groups, options, active } = it
  const id = useId()
  const keys = useFindKeys(it, onChoose)
  const input = useRef<HTMLInputElement>(null)
  const optionId = (to: string) => `${id}-${to}`
  const retry = () => {
    it.retry()
    input.current?.focus()
  }
  return (
    <Dialog
      isOpen
      className="find-dialog"
      aria-labelledby={`${id}-title`}
      shouldReturnFocusOnClose={false}
      transitionDuration={100}
      onClose={onClose}
    >
      <DialogBody>
        <h2 id={`${id}-title`} className="visually-hidden">
          Find
        </h2>
        <InputGroup
          autoFocus
          inputRef={input}
          autoComplete="off"
          spellCheck={false}
          size="large"
          leftIcon={<SearchIcon />}
          rightElement={snapshot.matches('searching') ? <Spinner size={16} /> : undefined}
          placeholder="Find merchants, agents, reports, screens…"
          aria-label="Find records and commands"
          role="combobox"
          aria-expanded={groups.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active && optionId(active.to)}
          maxLength={maxFindLength}
          value={text}
          onChange={(event) => it.change(event.currentTarget.value)}
          {...keys}
        />
        <FindList
          id={`${id}-list`}
          {...{ groups, active, optionId, onChoose }}
          isActive={(option) => options.includes(option)}
        />
        <FindStatus {...{ snapshot, text }} count={options.length} onRetry={retry} />
      </DialogBody>
    </Dialog>
  )
}

/** The handlers of the keys in the field: arrows move, Enter chooses as it is released. */
const useFindKeys = (
  { move, active }: Pick<ReturnType<typeof useFind>, 'move' | 'active'>,
  onChoose: Props['onChoose'],
) => {
  const isEntering = useRef(false)
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.nativeEvent.isComposing) return
      if (event.key === 'Enter') isEntering.current = true
      else if (!move(event.key)) return
      event.preventDefault()
    },
    // The button of a question that opens while Enter is down would be pressed as the key is released.
    onKeyUp: ({ key }: KeyboardEvent) => {
      if (key !== 'Enter') return
      if (isEntering.current && active) onChoose(active)
      isEntering.current = false
    },
  }
}

/** What is typed, what is offered for it, and which option is the active one. */
const useFind = (machine: FindMachine, commands: readonly FindGroup[]) => {
  const [snapshot, send] = useActor(machine, useActorEnvironment())
  const [text, setText] = useState(getTypedEarly)
  const [chosen, setChosen] = useState('')
  const own = commands.map(({ title, rows }) => ({
    title,
    rows: rows.filter((row) => hasWords(row.text, findWords(text))),
  }))
  const groups = [...own, ...foundGroups(snapshot)].filter(({ rows }) => rows.length > 0)
  const options = (snapshot.matches('shown') ? groups : own).flatMap(({ rows }) => rows)
  const at = Math.max(
    0,
    options.findIndex(({ to }) => to === chosen),
  )
  const type = useCallback(
    (typed: string) => send({ type: 'type', text: typed, searchable: canFind(typed) }),
    [send],
  )
  useEffect(() => {
    if (getTypedEarly() !== '') type(getTypedEarly())
  }, [type])
  return {
    snapshot,
    text,
    groups,
    options,
    active: options[at],
    change: (typed: string) => {
      setText(typed)
      setChosen('')
      type(typed)
    },
    /** Moves to the option to which the key leads; false for a key that moves nothing. */
    move: (key: string) => {
      const next = nextIndex(key, at, options.length)
      if (next !== null) setChosen(options[next]?.to ?? '')
      return next !== null
    },
    retry: () => send({ type: 'retry' }),
  }
}

/** What the server found, each kind ending with the way to all that match. */
const foundGroups = (snapshot: SnapshotFrom<FindMachine>): FindGroup[] =>
  snapshot.context.found.map(({ title, rows, all }) => ({
    title,
    rows: [...rows, ...(all === '' ? [] : [{ text: `All matches in ${title}`, to: all }])],
  }))

/** Where a key leads among `count` options; null for a key that moves nothing. */
const nextIndex = (key: string, at: number, count: number): number | null => {
  if (key === 'ArrowDown') return at + 1 < count ? at + 1 : 0
  if (key === 'ArrowUp') return at > 0 ? at - 1 : count - 1
  return null
}

type FindListProps = {
  id: string
  groups: readonly FindGroup[]
  active: FindOption | undefined
  /** Whether it can be chosen. What was found for an older text cannot. */
  isActive: (option: FindOption) => boolean
  optionId: (to: string) => string
  onChoose: (option: FindOption) => void
}

const FindList = ({ id, groups, active, isActive, optionId, onChoose }: FindListProps) => {
  const activeId = active && optionId(active.to)
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView?.({ block: 'nearest' })
  }, [activeId])
  return (
    <div id={id} role="listbox" aria-label="Found" className="find-list">
      {groups.map(({ title, rows }) => (
        <div key={title} role="group" aria-label={title}>
          <div className="find-title" aria-hidden="true">
            {title}
          </div>
          {rows.map((row) => (
            <div
              key={row.to}
              id={optionId(row.to)}
              role="option"
              aria-selected={row === active}
              aria-disabled={!isActive(row)}
              className="find-option"
              onClick={() => isActive(row) && onChoose(row)}
            >
              {row.text}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

type FindStatusProps = {
  snapshot: SnapshotFrom<FindMachine>
  text: string
  count: number
  onRetry: () => void
}

/** What came of the search, read to screen readers as it changes. */
const FindStatus = ({ snapshot, text, count, onRetry }: FindStatusProps) => (
  <div className="find-status">
    <span role="status">{statusOf(snapshot, text.trim(), count)}</span>
    {snapshot.matches('failed') && <Button size="small" text="Try again" onClick={onRetry} />}
  </div>
)

const statusOf = (snapshot: SnapshotFrom<FindMachine>, text: string, count: number): string => {
  if (snapshot.matches('failed')) return 'Records could not be searched.'
  if (!canFind(text)) return `Type a word of at least ${minFindLength} characters to find records.`
  if (!snapshot.matches('shown')) return 'Searching…'
  const slow = snapshot.context.found.filter((kind) => kind.slow).map(({ title }) => title)
  if (slow.length > 0) return `Not searched to the end: ${slow.join(', ')}. Type more of the name.`
  if (count === 0) return `Nothing matches “${text}”.`
  return count === 1 ? '1 result' : `${count} results`
}
