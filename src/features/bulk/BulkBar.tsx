import { Button } from '@blueprintjs/core'
import { CrossIcon, HistoryIcon } from '@blueprintjs/icons'
import { useEffect, useRef, useState, type FocusEvent } from 'react'
import type { EventFromLogic, SnapshotFrom } from 'xstate'
import type { bulkMachine } from '../../../machines/bulk.machine.ts'
import type { BulkOperations } from '../../../schemas/api/bulk/bulk.ts'
import type { Entity } from '../../../schemas/entities/entity.ts'
import { formatCount } from '../../parts/format.ts'
import { loadable } from '../../parts/loadable.tsx'
import { countOf, type BulkScreenMachines } from './bulk.ts'

const BulkHistory = loadable(async () => (await import('./BulkHistory.tsx')).BulkHistory)

type Send = (event: EventFromLogic<typeof bulkMachine>) => void
type Props = {
  entity: Entity
  operations: BulkOperations
  snapshot: SnapshotFrom<typeof bulkMachine>
  send: Send
  /** How many records are selected, and how many the list finds. */
  count: number
  total: number
  machines: BulkScreenMachines
  onReload: () => void
}

/** What is selected and what can be done to it, what was done, and the changes that were made (bulk 1). */
export const BulkBar = (props: Props) => {
  const { entity, snapshot, send, count, machines, onReload } = props
  const [hasHistory, setHistory] = useState(false)
  const kept = useKeptFocus()
  return (
    <div className="bulk-bar" role="group" aria-label="Selected records" {...kept}>
      <div role="status" className="bulk-count">
        {count > 0 &&
          (snapshot.context.all
            ? `All ${formatCount(count)} found are selected`
            : `${formatCount(count)} selected`)}
      </div>
      {count > 0 && <Operations {...props} />}
      <BulkDone {...{ entity, snapshot, send }} />
      <Button
        variant="minimal"
        className="bulk-history-button"
        icon={<HistoryIcon />}
        text="Changes"
        aria-haspopup="dialog"
        onClick={() => setHistory(true)}
      />
      {hasHistory && <BulkHistory {...{ entity, machines, onReload }} onClose={() => setHistory(false)} />}
    </div>
  )
}

/** The bar's focus stays in it when the button that has it goes away: the first that is left has it then. */
const useKeptFocus = () => {
  const ref = useRef<HTMLDivElement>(null)
  const hasFocus = useRef(false)
  useEffect(() => {
    if (!hasFocus.current || ref.current?.contains(document.activeElement)) return
    ref.current?.querySelector<HTMLElement>('button:not(:disabled)')?.focus({ preventScroll: true })
  })
  // The events of the dialog of changes come here too, though it lies outside of the bar.
  const onFocus = ({ currentTarget, target }: FocusEvent<HTMLElement>) => {
    hasFocus.current = currentTarget.contains(target)
  }
  const onBlur = () => {
    hasFocus.current = false
  }
  return { ref, onFocus, onBlur }
}

const Operations = ({ operations, snapshot, send, count, total }: Props) => {
  const { page, selected, all } = snapshot.context
  const ids = new Set(selected.map(({ id }) => id))
  const isPageSelected = page.length > 0 && page.every(({ id }) => ids.has(id))
  return (
    <>
      {!all && isPageSelected && total > count && (
        <Button
          variant="minimal"
          intent="primary"
          text={`Select all ${formatCount(total)} found`}
          onClick={() => send({ type: 'selectAll' })}
        />
      )}
      {operations.fields.length > 0 && (
        <Button text="Set a field" onClick={() => send({ type: 'begin', operation: 'set' })} />
      )}
      {operations.reassign !== null && (
        <Button text="Reassign" onClick={() => send({ type: 'begin', operation: 'reassign' })} />
      )}
      {operations.remove && (
        <Button
          text="Delete"
          intent="danger"
          variant="outlined"
          onClick={() => send({ type: 'begin', operation: 'remove' })}
        />
      )}
      <Button variant="minimal" text="Clear" onClick={() => send({ type: 'clear' })} />
    </>
  )
}

/** '200 merchants changed. Undo': it takes the focus that the dialog had, and again once it is undone. */
const BulkDone = ({ entity, snapshot, send }: Pick<Props, 'entity' | 'snapshot' | 'send'>) => {
  const { done, operation } = snapshot.context
  const box = useRef<HTMLDivElement>(null)
  const isDone = snapshot.matches('done')
  const isUndoing = snapshot.matches('undoing')
  const isUndone = snapshot.matches('undone')
  useEffect(() => {
    // The page cannot take the focus until the dialog has been removed; Undo goes with what it undid.
    if (isDone || isUndone) requestAnimationFrame(() => box.current?.focus({ preventScroll: true }))
  }, [isDone, isUndone])
  const isShown = done !== null && (isDone || isUndoing || isUndone)
  return (
    <div ref={box} role="status" tabIndex={-1} className={isShown ? 'bulk-done' : undefined}>
      {isShown && (
        <>
          <span>
            {countOf(entity, done.changed)} {operation === 'remove' ? 'deleted' : 'changed'}
            {done.refused > 0 && `, ${formatCount(done.refused)} refused`}.{isUndone && ' It is undone.'}
          </span>
          {!isUndone && (
            <Button
              variant="minimal"
              intent="primary"
              text="Undo"
              loading={isUndoing}
              onClick={() => send({ type: 'undo' })}
            />
          )}
          <Button
            variant="minimal"
            icon={<CrossIcon />}
            aria-label="Close what was changed"
            disabled={isUndoing}
            onClick={() => send({ type: 'dismiss' })}
          />
        </>
      )}
    </div>
  )
}
