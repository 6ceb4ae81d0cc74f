import { Button, ButtonGroup, Callout, Spinner } from '@blueprintjs/core'
import { InboxIcon } from '@blueprintjs/icons'
import { useEffect, useRef, useState, type RefObject } from 'react'
import type { InboxTask } from '../../../machines/inbox/inbox.machine.ts'
import type { InboxFile, InboxFolder, InboxView } from '../../../schemas/api/inbox/inbox.ts'
import { uploadTypes } from '../../../schemas/constants.ts'
import type { ImportName } from '../../../schemas/imports/imports.ts'
import { EmptyState, LoadFailure } from '../../parts/EmptyState.tsx'
import { FilePicker } from '../../parts/FilePicker.tsx'
import { formatCount, formatMonth } from '../../parts/format.ts'
import { LeaveQuestion } from '../../parts/unsaved/LeaveQuestion.tsx'
import '../imports/imports.css'
import './inbox.css'
import { importTask, pendingFiles, useInboxView, useInboxWork, type InboxMachines } from './inbox.ts'
import { InboxItem } from './InboxItem.tsx'
import { describeLeft, InboxProgress } from './InboxProgress.tsx'

export type { InboxMachines } from './inbox.ts'

/** How many files are read at a time. */
const pageSize = 100

type Props = {
  machines: InboxMachines
  /** '2026-10': leaves out the files of other months. */
  month?: string
  /** What a file is taken for if its heading is of no kind. */
  kind?: ImportName
  /** Called after a file was added, checked, imported or dismissed. */
  onChange?: () => void
}

/** The files of the inbox, and the place where more are added (inbox 8). */
export const InboxList = ({ machines, month, kind, onChange }: Props) => {
  const [view, setView] = useState<{ ended: 0 | 1; page: number }>({ ended: 0, page: 1 })
  const reload = useRef(() => {})
  const { snapshot, send, begin } = useInboxWork(machines.work, () => {
    reload.current()
    onChange?.()
  })
  const query: InboxView = { ...view, size: pageSize, ...(month !== undefined && { month }) }
  return (
    <div className="inbox">
      <FilePicker
        accept={uploadTypes}
        multiple
        onChoose={(content) => begin({ name: 'add', filename: content.name, content, kind })}
      />
      <InboxProgress snapshot={snapshot} send={send} />
      {snapshot.matches('working') && <LeaveQuestion>{describeLeft(snapshot)}</LeaveQuestion>}
      <ButtonGroup className="inbox-views">
        {(['Waiting', 'Ended'] as const).map((text, ended) => (
          <Button
            key={text}
            text={text}
            active={view.ended === ended}
            aria-pressed={view.ended === ended}
            onClick={() => setView({ ended: ended as 0 | 1, page: 1 })}
          />
        ))}
      </ButtonGroup>
      <InboxFiles
        key={JSON.stringify(query)}
        {...{ machines, query, reload, begin }}
        pending={pendingFiles(snapshot)}
        onPage={(page) => setView({ ...view, page })}
      />
    </div>
  )
}

type FilesProps = {
  machines: InboxMachines
  query: InboxView
  /** Is given what reads the files again. */
  reload: RefObject<() => void>
  /** The numbers of the files of which something is being done, or waits to be. */
  pending: ReadonlySet<number>
  begin: (...tasks: InboxTask[]) => void
  onPage: (page: number) => void
}

const InboxFiles = ({ machines, query, reload, pending, begin, onPage }: FilesProps) => {
  const view = useInboxView(machines, query)
  reload.current = view.reload
  const { reply, hasFailed } = view
  const frame = useRef<HTMLDivElement>(null)
  const hadFocus = useRef(false)
  useEffect(() => {
    // The button of a file that left the list would leave the focus at the top of the page.
    if (hadFocus.current && document.activeElement === document.body)
      frame.current?.focus({ preventScroll: true })
  }, [reply])
  if (hasFailed) return <LoadFailure what="The inbox" onReload={view.reload} />
  if (!reply) return <Spinner className="inbox-loading" aria-label="Loading the inbox" />
  const { data, total_length: total, folder } = reply
  const ready = data.filter(({ state }) => state === 'ready')
  const refused = data.filter(({ state }) => state === 'refused')
  const asking = data.find(({ state }) => state === 'asks')
  return (
    <div ref={frame} tabIndex={-1} className="inbox-frame" onFocus={() => (hadFocus.current = true)}>
      {folder && <FolderNotice folder={folder} />}
      {!query.ended && ready.length > 1 && (
        <Button
          className="inbox-all"
          intent="primary"
          text={`Import all ready (${formatCount(ready.length)})`}
          disabled={ready.some(({ id }) => pending.has(id))}
          onClick={() => begin(...ready.map((file) => importTask(file)))}
        />
      )}
      {!query.ended && refused.length > 1 && (
        <Button
          className="inbox-all"
          text={`Dismiss all refused (${formatCount(refused.length)})`}
          disabled={refused.some(({ id }) => pending.has(id))}
          onClick={() =>
            begin(...refused.map(({ id, filename }) => ({ name: 'dismiss' as const, id, filename })))
          }
        />
      )}
      {total === 0 ? (
        <NothingHere isEnded={query.ended === 1} month={query.month} isWatched={folder !== null} />
      ) : (
        <ul className="inbox-files" aria-label="Files">
          {data.map((file: InboxFile) => (
            <InboxItem
              key={file.id}
              {...{ file, begin }}
              isPending={pending.has(file.id)}
              mapping={machines.mapping}
              isNext={file === asking}
            />
          ))}
        </ul>
      )}
      <PageButtons page={query.page ?? 1} total={total} onPage={onPage} />
    </div>
  )
}

const NothingHere = (props: { isEnded: boolean; month: string | undefined; isWatched: boolean }) => (
  <EmptyState
    title={
      props.isEnded
        ? 'No file has ended yet'
        : `No file${props.month === undefined ? '' : ` of ${formatMonth(props.month)}`} waits`
    }
    icon={<InboxIcon size={32} />}
  >
    {!props.isEnded &&
      (props.isWatched
        ? 'Drop files above, or put them into the watched folder.'
        : 'Drop the files of all processors above; each is recognised by its headings.')}
  </EmptyState>
)

const PageButtons = ({
  page,
  total,
  onPage,
}: {
  page: number
  total: number
  onPage: (page: number) => void
}) => {
  const pages = Math.ceil(total / pageSize)
  return (
    (pages > 1 || page > 1) && (
      <div className="inbox-pages">
        <Button text="Previous" disabled={page <= 1} onClick={() => onPage(page - 1)} />
        <span>
          Page {formatCount(page)} of {formatCount(Math.max(1, pages))}, {formatCount(total)} files
        </span>
        <Button text="Next" disabled={page >= pages} onClick={() => onPage(page + 1)} />
      </div>
    )
  )
}

/** What keeps files in the watched folder (inbox 3). */
const FolderNotice = ({ folder: { fault, left, more } }: { folder: InboxFolder }) =>
  fault !== null ? (
    <Callout compact intent="danger">
      {fault} Files that are put there wait until it can be used.
    </Callout>
  ) : (
    left.length > 0 && (
      <Callout compact intent="warning">
        These files of the watched folder are not taken:
        <ul className="inbox-left">
          {left.map(({ filename, reason }) => (
            <li key={filename}>
              <strong>{filename}</strong>: {reason}
            </li>
          ))}
        </ul>
        {more > 0 && `and ${formatCount(more)} more`}
      </Callout>
    )
  )
