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
import { type KeyboardEvent, memo, useCallback, useEffect, useId, useRef, useState } from 'react'
import { type DriveNode, isFolder } from '../../../schemas/api/drive.ts'
import { formatBytes, formatCount, formatLocalDate } from '../../parts/format.ts'
import type { DownloadActor } from './downloads.ts'
import { countFiles, rowByKey, type TreeRow } from './tree.ts'

/** In pixels; the style sheet says the same. */
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
export const DriveRow = memo(
  ({ id, row: { node, level, position: place, siblingCount: siblings, isOpen }, top, isActive, actorOf, onClick }: DriveRowProps) => {
    const folder = isFolder(node)
    const size = node.size === null ? '' : formatBytes(node.size)
    const date = formatLocalDate(node.modified)
    const inside = folder ? countFiles(node.children) : 0
    const files = `${formatCount(inside)} ${inside === 1 ? 'file' : 'files'}`
    return (
      <div
        id={id}
        role="treeitem"
        className={`drive-row${isActive ? ' drive-active' : ''}`}
        aria-level={level}
        aria-posinset={place}
        aria-setsize={siblings}
        aria-expanded={folder ? isOpen : undefined}
        aria-selected={isActive}
        style={{ transform: `translateY(${top}px)` }}
        onClick={() => onClick(node)}
      >
        <span className="drive-name" style={{ paddingInlineStart: (level - 1) * 20 }}>
          <span className="drive-mark">
            {folder && (isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />)}
          </span>
          {folder ? isOpen ? <FolderOpenIcon /> : <FolderCloseIcon /> : <DocumentIcon />}
          <span className="drive-text" title={node.name}>
            {node.name}
          </span>
        </span>
        <span className="drive-size">{folder ? files : size}</span>
        <span className="drive-date">{date}</span>
        <span className="drive-action">{!folder && <Download node={node} actor={actorOf(node.id)} />}</span>
      </div>
    )
  },
)

/** The keyboard reaches it through its row. */
const Download = ({ node, actor }: { node: DriveNode; actor: DownloadActor }) => {
  const snapshot = useSelector(actor, (state) => state)
  const { percent } = snapshot.context
  const isDownloading = snapshot.matches('downloading')
  const hasFailed = snapshot.matches('failed')
  const known = percent === null || percent === 0 ? undefined : percent / 100
  return (
    <>
      {isDownloading && <Spinner size={16} value={known} aria-label={`Downloading ${node.name}`} />}
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

/** Letters typed within so many milliseconds are one word. */
const wordPause = 500

/**
 * The tree as the ARIA practices describe it: one stop for the Tab key, arrows, Home, End and first letters move, Enter
 * opens a folder or downloads a file, Escape stops a download. Only the rows in sight are drawn.
 */
export const DriveTree = ({ rows, onToggle: onTurn, actorOf }: DriveTreeProps) => {
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const word = useRef({ text: '', at: 0 })
  const [activeId, setActiveId] = useState<string | null>(null)
  const active = Math.max(
    0,
    rows.findIndex(({ node }) => node.id === activeId),
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    useFlushSync: false,
    // Without a layout (a page that is not drawn) there is no height: some rows are there all the same.
    observeElementRect: (instance, tell) =>
      observeElementRect(instance, (rect) => tell(rect.height > 0 ? rect : { width: 800, height: 600 })),
    rangeExtractor: ({ startIndex, endIndex, overscan }) => {
      const first = Math.max(0, startIndex - overscan)
      const last = Math.min(rows.length - 1, endIndex + overscan)
      const shown = Array.from({ length: last - first + 1 }, (_, index) => first + index)
      // The active row is what the tree points at, also when it was scrolled out of sight.
      return active < first ? [active, ...shown] : active > last ? [...shown, active] : shown
    },
  })
  // Stable, so that scrolling draws new rows alone.
  const latest = useRef(onTurn)
  useEffect(() => {
    latest.current = onTurn
  })
  const click = useCallback((node: DriveNode) => {
    setActiveId(node.id)
    if (isFolder(node)) latest.current(node.id)
  }, [])
  const rowId = (index: number) => `${id}-${rows[index]?.node.id}`
  const act = ({ node }: TreeRow) =>
    isFolder(node) ? onTurn(node.id) : actorOf(node.id).send({ type: 'download' })
  const choose = (index: number) => {
    setActiveId(rows[index]!.node.id)
    virtual.scrollToIndex(index)
  }
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const row = rows[active]
    if (!row) return
    const { key } = event
    if (
      key === 'Enter' ||
      (key === ' ' && !spelled(' ')) ||
      (isFolder(row.node) && (key === 'ArrowRight' ? !row.isOpen : key === 'ArrowLeft' && row.isOpen))
    )
      act(row)
    else if (key === 'Escape' && !isFolder(row.node)) actorOf(row.node.id).send({ type: 'cancel' })
    else {
      const to = rowByKey(rows, active, key, [...key].length === 1 ? spelled(key) : '')
      if (to === null) return
      choose(to)
    }
    event.preventDefault()
  }
  /** The word that this letter goes on with; a blank alone begins none. */
  const spelled = (letter: string): string => {
    const now = Date.now()
    const before = now - word.current.at < wordPause ? word.current.text : ''
    if (letter === ' ' && before === '') return ''
    word.current = { text: before + letter, at: now }
    return word.current.text
  }
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
        onKeyDown={press}
      >
        <div role="none" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]!
            return (
              <DriveRow
                key={row.node.id}
                id={rowId(index)}
                row={row}
                top={start}
                isActive={index === active}
                actorOf={actorOf}
                onClick={click}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}
