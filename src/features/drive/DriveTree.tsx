import { Button, Spinner } from '@blueprintjs/core'
import {
  ChevronDownIcon,
  ChevronRightIcon,
  CrossIcon,
  DocumentIcon,
  DownloadIcon,
  FolderCloseIcon,
  FolderOpenIcon,
  RefreshIcon,
} from '@blueprintjs/icons'
import { observeElementRect, useVirtualizer } from '@tanstack/react-virtual'
import { useSelector } from '@xstate/react'
import {
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type DriveNode, isFolder } from '../../../schemas/api/drive.ts'
import { formatBytes, type DownloadActor } from '../../parts/downloads.ts'
import { formatCount, formatLocalDate } from '../../parts/format.ts'
import { countFiles, indexesById, indexOfNearest, rowByKey, type TreeRow } from './tree.ts'

/** In pixels, equal to the height of .drive-row in drive.css. */
export const rowHeight = 36

type DriveRowProps = {
  id: string
  row: TreeRow
  top: number
  isActive: boolean
  actorOf: (id: string) => DownloadActor
  onClick: (node: DriveNode) => void
}

/** One folder or file. */
const DriveRow = memo(({ id, row, top, isActive, actorOf, onClick }: DriveRowProps) => {
  const { node, level, position, siblingCount, isOpen } = row
  const folder = isFolder(node)
  const size = node.size === null ? '' : formatBytes(node.size)
  const date = formatLocalDate(node.modified)
  const fileTotal = folder ? countFiles(node.children) : 0
  const files = `${formatCount(fileTotal)} ${fileTotal === 1 ? 'file' : 'files'}`
  return (
    <div
      id={id}
      role="treeitem"
      className={`drive-row${isActive ? ' drive-active' : ''}`}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblingCount}
      aria-expanded={folder ? isOpen : undefined}
      aria-selected={isActive}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onClick(node)}
    >
      <span className="drive-name" style={{ paddingInlineStart: (level - 1) * 20 }}>
        <span className="drive-mark">{folder && (isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />)}</span>
        {folder ? isOpen ? <FolderOpenIcon /> : <FolderCloseIcon /> : <DocumentIcon />}
        <span className="drive-text" title={node.name}>
          {node.name}
        </span>
      </span>
      <span className="drive-size">{folder ? files : size}</span>
      <span className="drive-date">{date}</span>
      <span className="drive-action">
        {!folder && <DownloadControl node={node} actor={actorOf(node.id)} />}
      </span>
    </div>
  )
})

/** Outside the order of the Tab key: the keys of its row do the same (drive 3). */
const DownloadControl = ({ node, actor }: { node: DriveNode; actor: DownloadActor }) => {
  const snapshot = useSelector(actor, (state) => state)
  const { percent } = snapshot.context
  const isDownloading = snapshot.matches('downloading')
  const hasFailed = snapshot.matches('failed')
  const progress = percent === null || percent === 0 ? undefined : percent / 100
  return (
    <>
      {isDownloading && <Spinner size={16} value={progress} aria-label={`Downloading ${node.name}`} />}
      {isDownloading && percent !== null && <span className="drive-percent">{percent} %</span>}
      <Button
        size="small"
        variant={isDownloading ? 'minimal' : 'outlined'}
        tabIndex={-1}
        intent={hasFailed ? 'danger' : 'none'}
        icon={isDownloading ? <CrossIcon /> : hasFailed ? <RefreshIcon /> : <DownloadIcon />}
        text={isDownloading ? 'Cancel' : hasFailed ? 'Try again' : 'Download'}
        aria-label={
          isDownloading
            ? `Cancel the download of ${node.name}`
            : hasFailed
              ? `Try again to download ${node.name}`
              : `Download ${node.name}`
        }
        onClick={() => actor.send({ type: isDownloading ? 'cancel' : 'download' })}
      />
    </>
  )
}

type DriveTreeProps = {
  rows: readonly TreeRow[]
  onToggle: (id: string) => void
  actorOf: (id: string) => DownloadActor
}

/** In milliseconds; letters typed with shorter pauses are searched as one text. */
const typeAheadPause = 500

/** Returns a function that adds a letter to the typed text and returns it; a leading blank is ignored. */
const useTypeAhead = () => {
  const typed = useRef({ text: '', at: 0 })
  return (letter: string): string => {
    const now = Date.now()
    const before = now - typed.current.at < typeAheadPause ? typed.current.text : ''
    if (letter === ' ' && before === '') return ''
    typed.current = { text: before + letter, at: now }
    return typed.current.text
  }
}

/**
 * Draws the visible rows and the active one, which `aria-activedescendant` needs even when it is scrolled
 * away.
 */
const useRowVirtualizer = (rowCount: number, active: number, frame: RefObject<HTMLDivElement | null>) =>
  useVirtualizer({
    count: rowCount,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    useFlushSync: false,
    // A page without layout reports a height of 0, which would draw no rows.
    observeElementRect: (instance, report) =>
      observeElementRect(instance, (rect) => report(rect.height > 0 ? rect : { width: 800, height: 600 })),
    rangeExtractor: ({ startIndex, endIndex, overscan }) => {
      const first = Math.max(0, startIndex - overscan)
      const last = Math.min(rowCount - 1, endIndex + overscan)
      const inSight = Array.from({ length: last - first + 1 }, (_, index) => first + index)
      return active < first ? [active, ...inSight] : active > last ? [...inSight, active] : inSight
    },
  })

type TreeKeysOptions = DriveTreeProps & { active: number; moveTo: (index: number) => void }

/** The key handler of the tree (drive 3). Keys with a modifier or without effect go to the browser. */
const useTreeKeys = ({ rows, onToggle, actorOf, active, moveTo }: TreeKeysOptions) => {
  const typeAhead = useTypeAhead()
  const activate = ({ node }: TreeRow) =>
    isFolder(node) ? onToggle(node.id) : actorOf(node.id).send({ type: 'download' })
  return (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const row = rows[active]
    if (!row) return
    const { key } = event
    // Once for each key: a second call would add the letter twice.
    const typed = [...key].length === 1 ? typeAhead(key) : ''
    if (
      key === 'Enter' ||
      (key === ' ' && typed === '') ||
      (isFolder(row.node) && (key === 'ArrowRight' ? !row.isOpen : key === 'ArrowLeft' && row.isOpen))
    )
      activate(row)
    else if (key === 'Escape' && !isFolder(row.node)) actorOf(row.node.id).send({ type: 'cancel' })
    else {
      const target = rowByKey(rows, active, key, typed)
      if (target === null) return
      moveTo(target)
    }
    event.preventDefault()
  }
}

/** The row that was chosen last, by the id of its node, and the rows that were drawn then. */
type Chosen = { id: string; before: readonly TreeRow[] }

/** The tree is drawn at every step of a scroll and at every key: its rows are gone through once. */
const useActiveIndex = (rows: readonly TreeRow[], chosen: Chosen | null): number => {
  const indexes = useMemo(() => indexesById(rows), [rows])
  return useMemo(() => (chosen ? indexOfNearest(indexes, chosen.id, chosen.before) : 0), [indexes, chosen])
}

/** The files as an ARIA tree: one stop of the Tab key, within which the keys of drive 3 move and act. */
export const DriveTree = ({ rows, onToggle, actorOf }: DriveTreeProps) => {
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const active = useActiveIndex(rows, chosen)
  const virtualizer = useRowVirtualizer(rows.length, active, frame)
  const moveTo = (index: number) => {
    setChosen({ id: rows[index]!.node.id, before: rows })
    virtualizer.scrollToIndex(index)
  }
  const handleKey = useTreeKeys({ rows, onToggle, actorOf, active, moveTo })
  const latest = useRef({ rows, onToggle })
  useEffect(() => {
    latest.current = { rows, onToggle }
  })
  // Stays the same function, so that memoized rows are not drawn again while the tree scrolls.
  const handleClick = useCallback((node: DriveNode) => {
    setChosen({ id: node.id, before: latest.current.rows })
    if (isFolder(node)) latest.current.onToggle(node.id)
  }, [])
  const rowId = (index: number) => `${id}-${rows[index]?.node.id}`
  return (
    <div className="drive-frame">
      <p id={`${id}-keys`} className="visually-hidden">
        Enter opens a folder or downloads a file. Escape stops a download.
      </p>
      <div
        ref={frame}
        className="drive-scroll"
        role="tree"
        aria-label="Files"
        aria-describedby={`${id}-keys`}
        tabIndex={0}
        aria-activedescendant={rowId(active)}
        onKeyDown={handleKey}
      >
        <div role="none" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]!
            return (
              <DriveRow
                key={row.node.id}
                id={rowId(index)}
                row={row}
                top={start}
                isActive={index === active}
                actorOf={actorOf}
                onClick={handleClick}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}
