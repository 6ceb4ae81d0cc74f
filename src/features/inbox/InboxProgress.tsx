import { Button, Callout, ProgressBar } from '@blueprintjs/core'
import type { EventFromLogic } from 'xstate'
import type { inboxMachine, InboxOutcome, InboxTask } from '../../../machines/inbox/inbox.machine.ts'
import { formatCount } from '../../parts/format.ts'
import type { InboxSnapshot } from './inbox.ts'

type TaskName = InboxTask['name']
const doing: Readonly<Record<TaskName, string>> = {
  add: 'Adding',
  check: 'Checking',
  import: 'Importing',
  dismiss: 'Dismissing',
}
const doneWords: Readonly<Record<TaskName, string>> = {
  add: 'added',
  check: 'checked',
  import: 'imported',
  dismiss: 'dismissed',
}

/** 'a.csv was imported.' or '3 files were imported.', for each kind of task that was done. */
const summarize = (outcomes: readonly InboxOutcome[]): string =>
  (Object.keys(doneWords) as TaskName[])
    .flatMap((name) => {
      const files = outcomes.filter((one) => one.name === name && one.message === null)
      if (files.length === 0) return []
      return files.length === 1
        ? `${files[0]!.filename} was ${doneWords[name]}.`
        : `${formatCount(files.length)} files were ${doneWords[name]}.`
    })
    .join(' ')

/** 'a.csv is not imported yet.' or '3 files are not added yet.', of what is being done and what waits. */
export const describeLeft = ({ context: { task, queue } }: InboxSnapshot): string => {
  const left = [...(task ? [task] : []), ...queue]
  const words = new Set(left.map(({ name }) => doneWords[name]))
  const files = left.length === 1 ? `${left[0]!.filename} is` : `${formatCount(left.length)} files are`
  return `${files} not ${words.size === 1 ? [...words][0] : 'done'} yet.`
}

type Props = { snapshot: InboxSnapshot; send: (event: EventFromLogic<typeof inboxMachine>) => void }

/** What is done with which file, and what came of the last tasks. */
export const InboxProgress = ({ snapshot, send }: Props) => {
  const { queue, task, percent, outcomes } = snapshot.context
  const isWorking = snapshot.matches('working')
  const all = outcomes.length + 1 + queue.length
  const failures = outcomes.filter(({ message }) => message !== null)
  const summary = summarize(outcomes)
  const isSending = task?.name === 'add' && percent < 100
  return (
    <>
      {isWorking && task && (
        <div className="inbox-progress">
          <span>
            {doing[task.name]}
            {all > 1 && ` ${formatCount(outcomes.length + 1)} of ${formatCount(all)}`}: {task.filename}
            {isSending && `, ${Math.round(percent)} %`}
          </span>
          <ProgressBar
            aria-label="Progress"
            value={isSending ? percent / 100 : undefined}
            animate={!isSending}
            stripes={!isSending}
            intent="primary"
          />
          <Button text="Stop" onClick={() => send({ type: 'cancel' })} />
        </div>
      )}
      <div role="status">
        {!isWorking && summary !== '' && (
          <Callout compact intent="success">
            {summary}
          </Callout>
        )}
        {failures.length > 0 && (
          <Callout compact intent="danger" className="inbox-failures">
            <ul>
              {failures.map(({ filename, message }, index) => (
                <li key={index}>
                  <strong>{filename}</strong>: {message}
                </li>
              ))}
            </ul>
            {!isWorking && <Button size="small" text="Put away" onClick={() => send({ type: 'forget' })} />}
          </Callout>
        )}
      </div>
    </>
  )
}
