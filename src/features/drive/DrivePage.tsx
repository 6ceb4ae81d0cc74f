import { Button } from '@blueprintjs/core'
import { FolderOpenIcon, SearchIcon } from '@blueprintjs/icons'
import { useActor } from '@xstate/react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { DriveNode } from '../../../schemas/api/drive.ts'
import { useDownloads, type DownloadMachine } from '../../parts/downloads.ts'
import { EmptyState, LoadFailure } from '../../parts/EmptyState.tsx'
import { formatCount } from '../../parts/format.ts'
import { useActorEnvironment } from '../../parts/hooks/actorEnvironment.ts'
import './drive.css'
import '../../parts/parts.css'
import { SearchBox } from '../../parts/SearchBox.tsx'
import { maxSearchLength } from '../entity/address.ts'
import { DriveTree } from './DriveTree.tsx'
import { countFiles, visibleRows, sortTree } from './tree.ts'

type Props = { manifest: typeof loadMachine; download: DownloadMachine }

/** The files that everybody may download, as a tree (drive 1). */
export const DrivePage = ({ manifest, download }: Props) => {
  const [loaded, send] = useActor(manifest, useActorEnvironment())
  const load = useCallback(() => send({ type: 'load' }), [send])
  const actorOf = useDownloads(download, load)
  useEffect(load, [load])
  const nodes = loaded.context.result as DriveNode[] | null
  return (
    <section className="entity-page drive-page">
      <header className="page-head">
        <h1>Shared Drive</h1>
      </header>
      {loaded.matches('failed') ? (
        <div className="drive-instead">
          <LoadFailure what="The shared drive" onReload={load} />
        </div>
      ) : nodes === null ? (
        <Skeleton />
      ) : nodes.length === 0 ? (
        <div className="drive-instead">
          <EmptyState title="There are no files yet" icon={<FolderOpenIcon size={32} />}>
            They appear here once somebody has put them into the shared drive.
          </EmptyState>
        </div>
      ) : (
        <DriveFiles nodes={nodes} actorOf={actorOf} />
      )}
    </section>
  )
}

type DriveFilesProps = { nodes: DriveNode[]; actorOf: ReturnType<typeof useDownloads> }

const DriveFiles = ({ nodes, actorOf }: DriveFilesProps) => {
  const [filter, setFilter] = useState('')
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  /** Folders expanded or collapsed by hand under the current filter; another filter resets them (drive 2). */
  const [toggledInFilter, setToggledInFilter] = useState<ReadonlySet<string>>(new Set())
  const tree = useMemo(() => sortTree(nodes), [nodes])
  const total = useMemo(() => countFiles(nodes), [nodes])
  const isFiltered = filter.trim() !== ''
  const rows = useMemo(
    () => visibleRows(tree, isFiltered ? toggledInFilter : expanded, filter),
    [tree, expanded, toggledInFilter, filter, isFiltered],
  )
  const toggle = (id: string) =>
    (isFiltered ? setToggledInFilter : setExpanded)((before) => withToggled(before, id))
  const search = (text: string) => {
    setFilter(text)
    setToggledInFilter(new Set())
  }
  return (
    <>
      <div className="list-tools">
        <SearchBox
          label="Filter by name"
          placeholder="Filter by name"
          maxLength={maxSearchLength}
          value={filter}
          onChange={search}
        />
        <p className="drive-count" role="status">
          {isFiltered && rows.length === 0
            ? 'No matches'
            : `${formatCount(total)} ${total === 1 ? 'file' : 'files'}`}
        </p>
      </div>
      {rows.length > 0 ? (
        <DriveTree rows={rows} onToggle={toggle} actorOf={actorOf} />
      ) : (
        <div className="drive-instead">
          <EmptyState
            title={`Nothing matches “${filter.trim()}”`}
            icon={<SearchIcon size={32} />}
            action={<Button text="Clear filter" onClick={() => search('')} />}
          >
            Check the spelling, or look for less of it.
          </EmptyState>
        </div>
      )}
    </>
  )
}

const withToggled = (set: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const next = new Set(set)
  if (!next.delete(id)) next.add(id)
  return next
}

const Skeleton = () => (
  <div className="drive-frame drive-loading" role="status" aria-label="Loading the shared drive">
    {Array.from({ length: 6 }, (_, index) => (
      <div key={index} className="bp6-skeleton" />
    ))}
  </div>
)
