import { Button, Spinner } from '@blueprintjs/core'
import { ChevronDownIcon, ChevronRightIcon, CrossIcon, DocumentIcon, DownloadIcon, FolderCloseIcon, FolderOpenIcon, RefreshIcon } from '@blueprintjs/icons'
import { useSelector } from '@xstate/react'
import { memo } from 'react'
import { isFolder, type DriveNode } from '../../schemas/drive.ts'
import { bytes, count, localDate } from '../format.ts'
import type { DownloadActor } from './downloads.ts'
import { fileCount, type TreeRow } from './tree.ts'

/** In pixels; the style sheet says the same. */
export const rowHeight = 36

type Props = { id: string; row: TreeRow; top: number; isActive: boolean; actorOf: (id: string) => DownloadActor; onClick: (node: DriveNode) => void }

/** One folder or file. */
export const DriveRow = memo(({ id, row: { node, level, place, siblings, isOpen }, top, isActive, actorOf, onClick }: Props) => {
  const folder = isFolder(node)
  const size = node.size === null ? '' : bytes(node.size)
  const date = localDate(node.modified)
  const inside = folder ? fileCount(node.children) : 0
  const files = `${count(inside)} ${inside === 1 ? 'file' : 'files'}`
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
        <span className="drive-mark">{folder && (isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />)}</span>
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
})

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
        aria-label={isDownloading ? `Cancel the download of ${node.name}` : hasFailed ? `Try again to download ${node.name}` : `Download ${node.name}`}
        onClick={() => actor.send({ type: isDownloading ? 'cancel' : 'download' })}
      />
    </>
  )
}
