import { Button } from '@blueprintjs/core'
import { AddIcon } from '@blueprintjs/icons'
import { useEffect, useMemo, useRef, useState } from 'react'
import { pageLinks, pageSizes } from '../../schemas/constants.ts'
import type { Entity } from '../../schemas/entity.ts'
import type { Viewer } from '../../schemas/permissions.ts'
import type { Lookup } from '../forms/context.ts'
import { Confirm } from '../parts/Confirm.tsx'
import { Pager } from '../parts/Pager.tsx'
import { pageAfterResize } from '../parts/pages.ts'
import { PageSize } from '../parts/PageSize.tsx'
import { SearchBox } from '../parts/SearchBox.tsx'
import '../styles/parts.css'
import { searchLength, useAddress } from './address.ts'
import { createButtonId, mayOf, useDialog, type ModalMachine } from './dialog.ts'
import { forgetOthersDrafts } from './drafts.ts'
import { EntityDialog } from './EntityDialog.tsx'
import { EntityTable } from './EntityTable.tsx'
import { useList, type ListMachine } from './list.ts'
import { useUnsaved } from './unsaved.ts'

type Props = { entity: Entity; list: ListMachine; modal: ModalMachine; lookup: Lookup; viewer: Viewer }

/** The screen of one entity: its list, and the dialog that creates, edits and deletes its records. */
export const EntityPage = (props: Props) => <EntityScreen key={props.entity.name} {...props} />

const EntityScreen = ({ entity, list, modal, lookup, viewer }: Props) => {
  const fields = useMemo(() => entity.list.columns.map((column) => column.field), [entity])
  const address = useAddress(fields)
  const { query, go } = address
  const [found, sendList] = useList(list, address)
  const [may] = useState(() => mayOf(entity, viewer))
  const [dialog, actor] = useDialog(modal, may, address, () => sendList({ type: 'reload' }))
  const blocker = useUnsaved(actor, dialog.context.dirty)
  const isBlocked = blocker.state === 'blocked'
  useEffect(() => forgetOthersDrafts(viewer.username), [viewer.username])
  const hasGivenUp = useRef(false)
  const isClosed = dialog.matches('closed')
  useEffect(() => {
    if (isClosed) hasGivenUp.current = false
  }, [isClosed])
  const discard = () => {
    if (!isBlocked) return actor.send({ type: 'discard' })
    hasGivenUp.current = true
    blocker.proceed()
  }
  const keep = () => {
    if (isBlocked) blocker.reset()
    actor.send({ type: 'cancel' })
  }
  return (
    <section className="entity-page">
      <header className="page-head">
        <h1>{entity.title}</h1>
        {may.create && <Button id={createButtonId} intent="primary" icon={<AddIcon />} text="Create" onClick={() => address.openRow('new')} />}
      </header>
      <div className="list-tools">
        {entity.list.search.length > 0 && (
          <SearchBox
            label={`Search ${entity.title}`}
            hint={`Search ${entity.title}`}
            most={searchLength}
            value={query.search}
            onChange={(search) => go({ search, page: 1 }, { replace: true })}
          />
        )}
        <PageSize
          size={query.size}
          sizes={pageSizes}
          onChange={(size) => go({ size, page: pageAfterResize(query.page, query.size, size) })}
        />
      </div>
      <EntityTable entity={entity} may={may} found={found} address={address} onReload={() => sendList({ type: 'reload' })} />
      <Pager page={query.page} size={query.size} total={found.context.total} links={pageLinks} href={(page) => address.queryTo({ page })} />
      {!isClosed && (
        <EntityDialog
          entity={entity}
          viewer={viewer}
          lookup={lookup}
          snapshot={dialog}
          send={actor.send}
          isUnsaved={() => actor.getSnapshot().context.dirty && !hasGivenUp.current}
        />
      )}
      {(isBlocked || dialog.matches('confirmingDiscard')) && (
        <Confirm
          choices={[
            { text: 'Discard', intent: 'danger', onClick: discard },
            { text: 'Keep editing', onClick: keep },
          ]}
        >
          Discard your changes?
        </Confirm>
      )}
    </section>
  )
}
