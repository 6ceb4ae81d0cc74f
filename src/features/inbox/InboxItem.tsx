import { Button, Tag, type Intent } from '@blueprintjs/core'
import { useId, useState } from 'react'
import type { InboxTask } from '../../../machines/inbox/inbox.machine.ts'
import type { InboxFile, InboxState } from '../../../schemas/api/inbox/inbox.ts'
import { formatUsDate } from '../../../schemas/dates.ts'
import { formatCount, formatLocalDateTime, formatMonth } from '../../parts/format.ts'
import { useDraft } from '../../parts/unsaved/useDraft.tsx'
import { FaultRows } from '../imports/ImportFaults.tsx'
import { describeRepeated, dollarTotals, FigureList, Remarks } from '../imports/ImportFigures.tsx'
import { mappingKey } from '../imports/mapping/editMapping.ts'
import { importTask, kindTitle, stateWords, type InboxMachines } from './inbox.ts'
import { InboxQuestions } from './InboxQuestions.tsx'

const intents: Partial<Record<InboxState, Intent>> = {
  ready: 'success',
  asks: 'warning',
  repeated: 'warning',
  refused: 'danger',
  outgrown: 'danger',
  imported: 'success',
}

type Props = { file: InboxFile; isPending: boolean; begin: (...tasks: InboxTask[]) => void }
type ItemProps = Props & {
  mapping: InboxMachines['mapping']
  /** It is the first that asks, so its questions are open. */
  isNext: boolean
}

/** What a file is of: processor and month first, else its kind, then its day. */
const subjectParts = ({ kind, processor, month, date }: InboxFile): string[] => [
  ...(processor === null ? [] : [processor]),
  ...(month === null ? [] : [formatMonth(month)]),
  ...(kind === null ? [] : [kindTitle(kind)]),
  ...(date === null ? [] : [formatUsDate(date)]),
]

/** One file: what it is of, its state, its figures and faults, and what can be done with it (inbox 8). */
export const InboxItem = ({ file, isPending, begin, mapping, isNext }: ItemProps) => {
  const { filename, state, faults, message, note } = file
  // The figures of a copy that its original has outgrown look like those of the whole file.
  const preview = state === 'outgrown' ? null : file.preview
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isAnswering = chosen ?? isNext
  const id = useId()
  const question = file.asks?.mapping
  // The questions may be gone while the answers are sent.
  const sent = useDraft(question ? mappingKey(file.kind ?? '', question.fingerprint, file.id) : null)
  const subject = subjectParts(file)
  return (
    <li className="inbox-file" aria-labelledby={id}>
      <header className="inbox-file-head">
        <div>
          <h2 id={id}>{subject.length > 0 ? subject.join(' · ') : filename}</h2>
          <p className="inbox-second">{originText(file)}</p>
        </div>
        <Tag minimal intent={intents[state] ?? 'none'}>
          {stateWords[state]}
        </Tag>
      </header>
      <StateText file={file} />
      {note !== null && <p>{note}</p>}
      {message !== null && <p>{message}</p>}
      {preview && <Figures preview={preview} />}
      {preview && <Remarks warnings={preview.warnings} ignored={preview.ignored} />}
      {faults && faults.rows.length > 0 && (
        <details className="inbox-faults">
          <summary>
            {formatCount(faults.rows.length + faults.more)}{' '}
            {faults.rows.length + faults.more === 1 ? 'fault' : 'faults'} in the file
          </summary>
          <FaultRows rows={faults.rows} more={faults.more} />
        </details>
      )}
      {isAnswering && state === 'asks' && (
        <InboxQuestions
          key={JSON.stringify(file.asks)}
          file={file}
          mapping={mapping}
          onCancel={() => setChosen(false)}
          onAnswer={(answers) => {
            setChosen(null)
            sent.type(answers.mapping ?? null)
            begin({ name: 'check', id: file.id, filename, answers })
          }}
        />
      )}
      <Actions {...{ file, isPending, begin, isAnswering }} onAnswering={() => setChosen(!isAnswering)} />
    </li>
  )
}

const originText = ({ filename, source, username, receivedat }: InboxFile) =>
  `${filename}, ${source === 'folder' ? 'from the watched folder' : `by ${username}`}, ` +
  formatLocalDateTime(receivedat)

const Figures = ({ preview }: { preview: NonNullable<InboxFile['preview']> }) => {
  const { inserted, updated, unchanged, rejected, totals } = preview
  return (
    <FigureList
      figures={[
        ['New', formatCount(inserted)],
        ['Changed', formatCount(updated)],
        ['Unchanged', formatCount(unchanged)],
        ['Rejected', formatCount(rejected)],
        ...dollarTotals(totals),
      ]}
    />
  )
}

/** What the state alone does not say: who is at work, who imported the same bytes, how it ended. */
const StateText = ({ file: { state, by, endedat, repeated, stored } }: Pick<Props, 'file'>) => {
  if (state === 'checking' || state === 'importing')
    return <p className="inbox-second">{by === null || by === '' ? 'by the portal' : `by ${by}`}</p>
  if (state === 'repeated' && repeated) return <p>{describeRepeated(repeated)}</p>
  if (endedat === null) return null
  return (
    <p>
      {stateWords[state === 'undone' ? 'imported' : state]} by {by ?? 'somebody'} on{' '}
      {formatLocalDateTime(endedat)}
      {stored &&
        `: ${formatCount(stored.inserted)} added, ${formatCount(stored.updated)} changed, ` +
          `${formatCount(stored.unchanged)} as they were`}
      {state === 'undone' && '. The import was undone'}.
    </p>
  )
}

type ActionsProps = Props & { isAnswering: boolean; onAnswering: () => void }

const Actions = ({ file, isPending, begin, isAnswering, onAnswering }: ActionsProps) => {
  const { id, filename, state } = file
  // A screen reader reads the buttons without the row: each name holds the name of its file.
  const named = (text: string) => ({ text, 'aria-label': `${text} ${filename}`, disabled: isPending })
  const check = { name: 'check', id, filename } as const
  if (state === 'checking' || state === 'importing' || state === 'imported') return null
  const isEnded = file.endedat !== null
  return (
    <div className="inbox-actions">
      {state === 'ready' && (
        <Button {...named('Import')} intent="primary" onClick={() => begin(importTask(file))} />
      )}
      {state === 'repeated' && (
        <Button {...named('Import anyway')} onClick={() => begin(importTask(file, true))} />
      )}
      {state === 'asks' && (
        <Button
          {...named(isAnswering ? 'Answer later' : 'Answer')}
          intent={isAnswering ? 'none' : 'primary'}
          aria-expanded={isAnswering}
          onClick={onAnswering}
        />
      )}
      {state === 'waiting' && <Button {...named('Check')} intent="primary" onClick={() => begin(check)} />}
      {(isEnded || state === 'refused' || state === 'repeated') && (
        <Button {...named('Check again')} onClick={() => begin({ ...check, answers: {} })} />
      )}
      {!isEnded && (
        <Button
          {...named('Dismiss')}
          variant="minimal"
          onClick={() => begin({ name: 'dismiss', id, filename })}
        />
      )}
    </div>
  )
}
