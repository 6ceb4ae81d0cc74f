import { Button, ButtonGroup, Spinner } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { LoadFailure } from '../../parts/EmptyState.tsx'
import { formatDollars } from '../../parts/format.ts'
import { TableFrame } from '../../parts/table/TableFrame.tsx'
import { TableHeads, type Head } from '../../parts/table/TableHeads.tsx'
import type { Answer } from './answer.ts'

/** '+$12.00', '-$12.00' or '$0.00'. */
export const formatChange = (dollars: number): string => `${dollars > 0 ? '+' : ''}${formatDollars(dollars)}`

type ChoiceProps<V extends string> = {
  label: string
  options: readonly { value: V; text: string; note?: string }[]
  value: V
  onChoose: (value: V) => void
}

/** Buttons of which one is pressed. */
export const ChoiceButtons = <V extends string>({ label, options, value, onChoose }: ChoiceProps<V>) => (
  <ButtonGroup role="group" aria-label={label} className="variance-choice">
    {options.map((it) => (
      <Button
        key={it.value}
        active={it.value === value}
        aria-pressed={it.value === value}
        onClick={() => onChoose(it.value)}
      >
        {it.text}
        {it.note !== undefined && <span className="variance-note"> {it.note}</span>}
      </Button>
    ))}
  </ButtonGroup>
)

type AnsweredProps<T, Q> = {
  answer: Answer<T, Q>
  what: string
  children: (reply: T, of: Q) => ReactNode
}

/** What was answered last, a spinner before, or that it could not be loaded; `what` begins the sentence. */
export const Answered = <T, Q>({ answer, what, children }: AnsweredProps<T, Q>) => {
  const { answered, state, reload } = answer
  if (state === 'failed') return <LoadFailure what={what} onReload={reload} />
  if (!answered?.reply) return <Spinner className="variance-loading" aria-label={`${what} is loading`} />
  return (
    <div className="variance-answer" aria-busy={state === 'loading'}>
      {children(answered.reply, answered.of)}
    </div>
  )
}

type FrameProps = { label: string; heads: readonly Head[]; foot?: ReactNode; children: ReactNode }

/** The rows of an answer below their headings. */
export const FramedTable = ({ label, heads, foot, children }: FrameProps) => (
  <TableFrame label={label} className="variance-scroll">
    <TableHeads heads={heads} />
    <tbody>{children}</tbody>
    {foot && <tfoot>{foot}</tfoot>}
  </TableFrame>
)
